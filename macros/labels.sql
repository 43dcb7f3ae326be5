{#- Text without the white space around it. -#}
{% macro stripped(text) -%}
trim({{ text }}, ' ' || chr(9) || chr(10) || chr(13))
{%- endmacro %}

{#- The first of some texts that holds more than white space. -#}
{% macro first_text(texts) -%}
coalesce({% for text in texts %}nullif({{ stripped(text) }}, ''){{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

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

{#- An amount of money. What no debate costs, and no decimal of the marts holds, is null; `is_no_amount` says so in rejected_lines. -#}
{% macro as_amount(text) -%}
case when try_cast({{ text }} as double) between 0 and 1e9 then try_cast({{ text }} as double) end
{%- endmacro %}

{% macro is_no_amount(text) -%}
coalesce(try_cast({{ text }} as double) > 1e9, false)
{%- endmacro %}

{#- Answer key: correct_label, else answer, else gold; stripped, one letter in upper case; null when there is none. -#}
{% macro gold_label() -%}
{%- set label = first_text(['correct_label', 'answer', 'gold']) -%}
if(strlen({{ label }}) = 1, upper({{ label }}), {{ label }})
{%- endmacro %}

{#-
    One answer of a multiple-choice or short-answer panel: stripped, and in upper case where it is one character and the key is one
    character too (x stays x where the key is a LaTeX string). Asked but unparsed (null or empty in the file) is the empty string.
-#}
{% macro answer_label(label, one_letter_key) -%}
coalesce(
    if(
        -- Nearly every answer is one character, and stripping takes longer than looking at that.
        strlen({{ label }}) = 1,
        if({{ one_letter_key }}, upper({{ stripped(label) }}), {{ stripped(label) }}),
        if(
            {{ one_letter_key }} and strlen({{ stripped(label) }}) = 1,
            upper({{ stripped(label) }}),
            {{ stripped(label) }}
        )
    ),
    ''
)
{%- endmacro %}

{#- A stored majority, read like an answer: the empty string says that nothing was parsed, which is no label. -#}
{% macro majority_label(label, key) -%}
nullif(
    if(
        strlen({{ stripped(label) }}) = 1 and coalesce(strlen({{ key }}), 1) = 1, upper({{ stripped(label) }}), {{ stripped(label) }}
    ),
    ''
)
{%- endmacro %}

{#- A label as it is published: one that is long enough to be a text is named by its length and hash, since texts are gated. -#}
{% macro published_label(label) -%}
if(strlen({{ label }}) > 100, '(label of ' || strlen({{ label }}) || ' bytes, ' || left(md5({{ label }}), 8) || ')', {{ label }})
{%- endmacro %}

{#-
    Epoch seconds or milliseconds (from 1973 to 2100), or ISO text, as a timestamp in UTC; ISO text without a zone is taken as it stands,
    any other value is null.
-#}
{% macro as_timestamp(text) -%}
case
    when try_cast({{ text }} as double) between 1e8 and 4102444800
        then make_timestamp(round(try_cast({{ text }} as double) * 1e6)::bigint)
    when try_cast({{ text }} as double) between 1e11 and 4102444800000
        then make_timestamp(round(try_cast({{ text }} as double) * 1e3)::bigint)
    when try_cast({{ text }} as double) is not null then null
    when regexp_matches({{ text }}, '(Z|[+-]\d\d:?\d\d)$') then make_timestamp(epoch_us(try_cast({{ text }} as timestamptz)))
    else try_cast({{ text }} as timestamp)
end
{%- endmacro %}

{#- A name that things are joined by: as it stands where it is one word, else by its length and hash, since it may be a text. -#}
{% macro published_key(key) -%}
if(regexp_matches({{ key }}, '^\S{1,100}$'), {{ key }}, '(key of ' || strlen({{ key }}) || ' bytes, ' || left(md5({{ key }}), 8) || ')')
{%- endmacro %}
