{#-
    A line as its writer meant it and as DuckDB's JSON reads it. The bare tokens NaN and Infinity, which Python's json writes for a missing
    number, are null: as they stand they come out as texts, and then count as labels. Half a surrogate pair (\ud835 alone) is the
    replacement character: as it stands the line is no JSON. Hardly any line holds one, so only those are cut into pieces.
-#}
{% macro readable_json(line) -%}
case
    when {{ may_hold_number_tokens(line) }} then {{ whole_pairs(numbers_or_null(line)) }}
    when contains({{ line }}, '\ud') or contains({{ line }}, '\uD') then {{ whole_pairs(line) }}
    else {{ line }}
end
{%- endmacro %}

{#-
    A quick look that may be wrong about texts: words are found in a third of the time of a pattern. Python writes NaN and Infinity, C
    writes nan and inf.
-#}
{% macro may_hold_number_tokens(line) -%}
(
    {%- for word in ['NaN', 'nfinity', ':nan', ': nan', ', nan', '[nan', '-nan', ': inf', '-inf'] %}
    {{ 'or ' if not loop.first }}contains({{ line }}, '{{ word }}')
    {%- endfor %}
)
{%- endmacro %}

{#- Texts and what stands between them; joined again they are the line, unless it is no JSON. -#}
{% macro json_pieces(line) -%}
regexp_extract_all({{ line }}, '"(?:[^"\\]|\\.)*"|[^"]+|"')
{%- endmacro %}

{% macro number_token() -%}
'[-+]?(?:[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)'
{%- endmacro %}

{% macro numbers_or_null(line) -%}
array_to_string(
    list_transform(
        {{ json_pieces(line) }}, lambda p: if(starts_with(p, '"'), p, regexp_replace(p, {{ number_token() }}, 'null', 'g'))
    ),
    ''
)
{%- endmacro %}

{#- Tokens that are no number, outside of texts. -#}
{% macro n_number_tokens(line) -%}
case
    when {{ may_hold_number_tokens(line) }}
        then len(
            flatten(
                list_transform(
                    list_filter({{ json_pieces(line) }}, lambda p: not starts_with(p, '"')),
                    lambda p: regexp_extract_all(p, {{ number_token() }})
                )
            )
        )
    else 0
end
{%- endmacro %}

{#- Pairs and other escapes are pieces of their own, so that a short piece that begins with \ud is half a pair. -#}
{% macro whole_pairs(line) -%}
array_to_string(
    list_transform(
        regexp_extract_all(
            {{ line }},
            '\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^u]|[^\\]+|\\'
        ),
        lambda p: if(strlen(p) = 6 and regexp_matches(p, '^\\u[dD]'), '\ufffd', p)
    ),
    ''
)
{%- endmacro %}
