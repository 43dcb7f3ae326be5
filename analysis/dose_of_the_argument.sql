-- Does a stronger argument flip more answers?
-- One row per probe lane, channel and strength, all conditions together. flip_rate counts an unparsed reply as no flip, over flip_rate_n
-- replies; more_than_weaker is the step from the next weaker argument of the same channel, which should not be negative if dose works.
-- The ladder that is tested against every order is dose_ladders.
select
    lane,
    channel,
    strength,
    n_flip,
    flip_rate_n,
    flip_rate,
    flip_rate_ci_lower,
    flip_rate_ci_upper,
    flip_rate - lag(flip_rate) over (
        partition by lane, channel order by list_position(['weak', 'moderate', 'strong', 'very_strong'], strength)
    ) as more_than_weaker,
from flip_rates
where condition = 'all' and strength in ('weak', 'moderate', 'strong', 'very_strong') and flip_rate_n > 0
order by lane, channel, list_position(['weak', 'moderate', 'strong', 'very_strong'], strength)
