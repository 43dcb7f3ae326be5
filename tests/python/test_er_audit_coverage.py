"""Coverage of the anytime-valid bound, in the warehouse: however the auditor stops, it exceeds the true pass probability rarely enough."""

from pathlib import Path

import pytest
from conftest import Build, Ledger
from scipy.stats import binomtest

from debate_ledger import simulate_audit as sim

pytestmark = pytest.mark.slow
N_AUDITS = 2000
BUDGET = 60
#: (significance, pass probabilities of the generators), dealt out over the audits.
CASES = (
    ("0.2", ({"one": 0.5}, {"one": 0.9}, {"one": 0.97}, {"one": 0.99})),
    ("0.05", ({"one": 0.6}, {"one": 0.85}, {"one": 0.95})),
    ("0.1", ({"one": 0.9, "two": 0.95}, {"one": 0.99, "two": 0.8})),
)


def name(stopping: str, i: int) -> str:
    return f"{stopping}_{i}"


@pytest.fixture(scope="module")
def simulated() -> dict[str, sim.SequentialAudits]:
    return {
        name(stopping, i): sim.simulate_sequential_audits(N_AUDITS, rates, eta, BUDGET, stopping, seed=31 + i, search_budget=2)
        for i, (eta, rates) in enumerate(CASES)
        for stopping in sim.STOPPINGS
    }


@pytest.fixture(scope="module")
def audited(build: Build, simulated: dict[str, sim.SequentialAudits], tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    base = tmp_path_factory.mktemp("coverage")
    settings, epsilons = [], []
    for cohort, audits in simulated.items():
        (base / "data" / cohort).mkdir(parents=True)
        with (base / "data" / cohort / "verifier_eval.jsonl").open("w") as out:
            out.writelines(line.rstrip("\n") + "\n" for line in audits.lines())
        plan = audits.plan
        settings.append(f"{cohort},,,{plan.search_budget},{plan.test_budget},{';'.join(plan.generators)},,Simulated.")
        epsilons.append(f"{cohort},{plan.dataset},{plan.model},planned,{plan.epsilon},Simulated.")
    seeds: Path = base / "seeds"
    seeds.mkdir()
    header = "cohort,dataset,kappa,search_budget,test_budget,generators,n_pairs,reason"
    (seeds / "audit_settings.csv").write_text("\n".join([header, *settings]) + "\n")
    (seeds / "audit_epsilons.csv").write_text("\n".join(["cohort,dataset,model,epsilon_name,epsilon,reason", *epsilons]) + "\n")
    return build(base / "data", audit="only", seeds=seeds)


def exceeding(ledger: Ledger, cohort: str, eta: str, truths: dict[str, float]) -> int:
    """Audits whose bound lies above their true pass probability."""
    rows = ledger.query("select pair_id, lower_bound from pair_bounds where cohort = ? and eta = ?", cohort, eta)
    assert len(rows) == len(truths) == N_AUDITS and all(bound is not None for _, bound in rows)
    return sum(bound > truths[pair] for pair, bound in rows)


def probability_to_exceed(eta: str, rates: dict[str, float]) -> float:
    """Chance that an auditor who looks after every draw ever sees the common bound above the truth: all generators pass until it is."""
    truth = min(rates.values())
    t = next(t for t in range(1, 10_000) if float(eta) ** (1 / t) > truth)
    chance = 1.0
    for rate in rates.values():
        chance *= rate**t
    return chance if t <= BUDGET else 0.0


@pytest.mark.parametrize("i", range(len(CASES)))
@pytest.mark.parametrize("stopping", sim.STOPPINGS)
def test_the_bound_exceeds_the_truth_in_at_most_the_nominal_share(
    audited: Ledger, simulated: dict[str, sim.SequentialAudits], stopping: str, i: int
) -> None:
    eta, _ = CASES[i]
    n = exceeding(audited, name(stopping, i), eta, simulated[name(stopping, i)].truths())
    assert binomtest(n, N_AUDITS, float(eta), alternative="greater").pvalue > 1e-3, n


@pytest.mark.parametrize("i", range(len(CASES)))
def test_the_worst_stop_exceeds_as_often_as_can_be_computed(audited: Ledger, simulated: dict[str, sim.SequentialAudits], i: int) -> None:
    """So the share above is no accident of a bound that is far too low: it is the exact one, and a smaller significance would be missed."""
    eta, rates = CASES[i]
    n = exceeding(audited, name("optimistic", i), eta, simulated[name("optimistic", i)].truths())
    expected = sum(probability_to_exceed(eta, r) for r in rates) / len(rates)
    assert 0 < expected <= float(eta)
    # The audits are a mixture of the rates, dealt out in turn: its spread is at most that of the mean chance.
    assert binomtest(n, N_AUDITS, expected).pvalue > 1e-3, (n, expected * N_AUDITS)
    assert binomtest(n, N_AUDITS, expected / 2, alternative="greater").pvalue < 1e-3
