-- A misspelt var would otherwise fall back to another rule, or leave the ledger empty.
with named as (
    select '{{ var("default_coding_rule") }}' as coding_rule
    {%- for rule in var('coding_rules') %}
    union all
    select '{{ rule }}' as coding_rule
    {%- endfor %}
)

select named.coding_rule
from named
anti join {{ ref('coding_rules') }} using (coding_rule)
