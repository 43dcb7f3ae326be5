{#- A stored flag as a boolean: true, 1 and "yes" alike; null for a missing or unreadable one. -#}
{% macro as_boolean(flag) -%}
case
    when lower(trim({{ flag }})) in ('true', '1', '1.0', 'yes') then true
    when lower(trim({{ flag }})) in ('false', '0', '0.0', 'no') then false
end
{%- endmacro %}

{#- A number, null for a missing one and for NaN, which would sort as the largest value. -#}
{% macro as_number(text) -%}
case when isfinite(try_cast({{ text }} as double)) then try_cast({{ text }} as double) end
{%- endmacro %}

{#- Answer key: trimmed, one letter in upper case; null when there is none. -#}
{% macro gold_label(label) -%}
nullif(if(strlen(trim({{ label }})) = 1, upper(trim({{ label }})), trim({{ label }})), '')
{%- endmacro %}

{#-
    One answer of a multiple-choice or short-answer panel: trimmed, and in upper case where it is one character and the key is one
    character too (x stays x where the key is a LaTeX string). Asked but unparsed (null or empty in the file) is the empty string.
-#}
{% macro answer_label(label, one_letter_key) -%}
coalesce(
    if(
        -- Nearly every answer is one character, and trimming takes longer than looking at that.
        strlen({{ label }}) = 1,
        if({{ one_letter_key }}, upper(trim({{ label }})), trim({{ label }})),
        if({{ one_letter_key }} and strlen(trim({{ label }})) = 1, upper(trim({{ label }})), trim({{ label }}))
    ),
    ''
)
{%- endmacro %}

{#- A stored majority, read like an answer: the empty string says that nothing was parsed, which is no label. -#}
{% macro majority_label(label, key) -%}
nullif(if(strlen(trim({{ label }})) = 1 and coalesce(strlen({{ key }}), 1) = 1, upper(trim({{ label }})), trim({{ label }})), '')
{%- endmacro %}

{#- Epoch seconds or ISO text as a timestamp in UTC; ISO text without a zone is taken as it stands. -#}
{% macro as_timestamp(text) -%}
case
    when try_cast({{ text }} as double) is not null then make_timestamp(cast(round(try_cast({{ text }} as double) * 1e6) as bigint))
    when regexp_matches({{ text }}, '(Z|[+-]\d\d:?\d\d)$') then make_timestamp(epoch_us(try_cast({{ text }} as timestamptz)))
    else try_cast({{ text }} as timestamp)
end
{%- endmacro %}
