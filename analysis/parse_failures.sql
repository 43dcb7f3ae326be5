-- How many answers could not be parsed, and how far could they move a flip rate?
-- One row per source of answers. Debates: per cohort, model and round, over the answers that were asked for (n_asked); what the file
-- does not record has no row. Probes: per lane, over the replies; the flip rate is lowest when an unparsed reply is no flip and highest
-- when it is one. Where what is unparsed is unknown, the share is empty, which is not 0.
select
    'debates' as source,
    cohort || ' / ' || model as what,
    'round ' || round as part,
    n_answers_asked as n_asked,
    n_answers_asked - n_answers_parsed as n_unparsed,
    (n_answers_asked - n_answers_parsed) / nullif(n_answers_asked, 0) as unparsed_share,
    null as lowest_flip_rate,
    null as highest_flip_rate,
from round_ledger
where n_answers_asked is not null
union all
select
    'probes' as source,
    lane as what,
    'replies' as part,
    n_replies as n_asked,
    n_unparsed,
    none_rate as unparsed_share,
    flip_rate_none_as_no_flip as lowest_flip_rate,
    flip_rate_none_as_flip as highest_flip_rate,
from probe_parser_audit
order by source, what, part
