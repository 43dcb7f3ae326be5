"""One row per lane, profile of the coder and round: what could not be read, and whether that share rises with the rounds."""

from debate_ledger.round_bias import loss_trends


def model(dbt, session):
    dbt.config(materialized="table")
    losses = dbt.ref("int_debate_losses")
    key = "cohort, lane, model, profile"
    rounds = losses.filter("round is not null").order(f"{key}, round").select(f"{key}, round, n_answers, n_unparsed").fetchall()
    scores = losses.filter("score is not null").order(f"{key}, score").select(f"{key}, score, n_debates").fetchall()
    return loss_trends(rounds, scores)
