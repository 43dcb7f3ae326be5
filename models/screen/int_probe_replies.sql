{{ config(materialized='view') }}

with replies as (
    select * from {{ ref('stg_probe_replies') }}
)

select
    *,
    -- A reply that was not parsed is no flip. Where the first answer is not known, the stored flag is all there is.
    coalesce(is_revised, initial_answer is null and post_answer is not null and stored_revised, false) as is_flip,
    -- Halves of a battery that hold two solo and two social probes each, two weaker and two stronger ones.
    (strength in ('weak', 'strong') and not is_social) or (strength in ('moderate', 'very_strong') and is_social) as is_in_half_a,
    (strength in ('weak', 'strong') and is_social) or (strength in ('moderate', 'very_strong') and not is_social) as is_in_half_b,
from replies
