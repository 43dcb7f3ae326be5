{#-
    The normal form of every answer of `labels` (SQL name of a relation with the column `label`), for rules that decide by `normalised`:
    answers that mean the same share a normal form, and `sort_key` orders the forms: numbers before words, numbers by their value, words
    by the alphabet. An answer that is there always has a form, so normalising never unparses one.

    A number is what the importers and the answer coder take for one that stands alone (python/debate_ledger/coder/expressions.py): a sign, a currency sign, commas,
    LaTeX commas or blanks between thousands, decimals, a power of ten, a percent sign and a full stop at the end, a/b, 1 a/b, \frac{a}{b}, ½; and **…**, (…), $…$, \(…\), \boxed{}
    or \text{} around it, or #### before it. Its form is the shortest plain decimal, or p/q in lowest terms
    where no decimal ends. All of it is text or whole numbers, since 0.1 + 0.2 is not 0.3 in doubles: decimals are exact up to 400 characters,
    quotients up to 18 digits a part with a denominator of 9 in lowest terms. What is longer, and everything else (5 km, 3,5), is a word: white space is one
    blank, and letters are lower case unless there is a TeX command; a single letter is upper case, so options come out as they are. A word of more than 100 bytes is a text, and stays as it stands.
-#}
{% macro answer_forms(labels) -%}
{%- set number -%}
([-+]?)([1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|\d+)?(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?
{%- endset -%}
{%- set vulgar = '¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞' -%}
{%- set vulgar_parts = '1/4 1/2 3/4 1/7 1/9 1/10 1/3 2/3 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8'.split() -%}
{%- set frac -%}
\\[dtc]?frac ?(?:\{ ?([-+]?\d+(?:,\d+)*) ?\}|(\d)) ?(?:\{ ?([-+]?\d+(?:,\d+)*) ?\}|(\d))
{%- endset -%}
{%- set wrapped -%}
^(?:\*\*(.*)\*\*|\$\$((?:\\\$|[^$])*[^$ ])\$\$|\$((?:\\\$|[^$])*[^$ ])\$|\\\((.*)\\\)|\\\[(.*)\\\]|\\(?:boxed|text|textbf|mathrm|mathbf)\{(.*)\})(%?\.?)$
{%- endset -%}
with spelled as (
    select
        label,
        trim(regexp_replace(label, '[\s\x{b}\x{1c}-\x{1f}\x{85}\p{Z}]+', ' ', 'g')) as word,
    from {{ labels }}
),

-- What stands around a number goes, up to three times. Most answers are letters and words, and hold no digit.
unwrapped as (
    select
        *,
        case
            when not regexp_matches(word, '[\d{{ vulgar }}]') then null
            -- Words of letters are no numbers, unless they are TeX commands.
            when regexp_matches(word, '[a-zA-Z]{2}') and not contains(word, '\') then null
            when not regexp_matches(word, '[*$#\\]') then word
            else
                {%- for _ in range(3) %}
                    trim(regexp_replace(
                {%- endfor %}
                    regexp_replace(word, '^#### *', '')
                {%- for _ in range(3) %}
                    , '{{ wrapped }}', '\1\2\3\4\5\6\7'))
                {%- endfor %}
        end as inner_text,
    from spelled
),

-- Signs in one spelling; without brackets, percent sign, full stop and money.
plain as (
    select
        label,
        word,
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    regexp_replace(
                        translate(replace(replace(inner_text, '\$', '$'), '\%', '%'), '−–‐‑‒⁄∕', '-----//'), '^\(([^()]*)\)(\.?)$', '\1\2'
                    ),
                    ' ?\.$',
                    ''
                ),
                '^(?:([-+]?)[$€£¥₹] ?([^$€£¥₹%]*?)(?: ?%)?|([^$€£¥₹%]*?)(?: ?%| ?[€£¥₹])?|([^$€£¥₹%]*[\d{{ vulgar }}])\$)$',
                '\1\2\3\4'
            ),
            '(\d)(?:\{,\}(?:\\!)?|,?\\[,!])(\d)',
            '\1,\2',
            'g'
        ) as number_text,
    from unwrapped
),

-- Fractions as a/b, thousands without blanks, powers of ten as e3.
spelt_out as (
    select
        label,
        word,
        case
            when regexp_full_match(number_text, '[-+]?\d+(?:\.\d+)?') then number_text
            -- 07/08 is a date.
            when regexp_matches(number_text, '^[-+]?(?:0\d[\d.,]* ?/|[\d.,]+ ?/ ?[-+]?0\d)') then null
            when regexp_matches(number_text, '^[-+]?[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?$') then replace(number_text, ' ', '')
            when regexp_matches(number_text, '10 ?(?:\^|\*\*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])')
                then regexp_replace(
                    regexp_replace(
                        if(
                            regexp_matches(number_text, '10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+$'),
                            translate(regexp_replace(number_text, '10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+)$', '10^\1'), '⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺', '0123456789-+'),
                            number_text
                        ),
                        ' ?(?:×|\*|\\times|\\cdot|\bx\b| [xX] |x) ?10 ?(?:\^|\*\*) ?(?:\{ ?([-+]?\d{1,3}) ?\}|\( ?([-+]?\d{1,3}) ?\)|([-+]?\d{1,3}))$',
                        'e\1\2\3'
                    ),
                    '^([-+]?)10 ?(?:\^|\*\*) ?(?:\{ ?([-+]?\d{1,3}) ?\}|\( ?([-+]?\d{1,3}) ?\)|([-+]?\d{1,3}))$',
                    '\11e\2\3\4'
                )
            when regexp_matches(number_text, '^[-+]?(?:\d+ ?)?[{{ vulgar }}]$')
                then trim(left(number_text, -1))
                    || if(regexp_matches(number_text, '\d'), ' ', '')
                    || ['{{ vulgar_parts | join("', '") }}'][strpos('{{ vulgar }}', right(number_text, 1))]
            else regexp_replace(
                regexp_replace(number_text, '^([-+]?){{ frac }}$', '\1\2\3/\4\5'), '^([-+]?\d+) ?{{ frac }}$', '\1 \2\3/\4\5'
            )
        end as spelt,
    from plain
),

-- A whole number and a fraction below one, as one fraction. 1 000/2000 could be either, so it is none.
mixed as (
    select
        *,
        regexp_extract(spelt, '^([-+]?)(\d{1,9}) +(\d{1,9}) ?/ ?(\d{1,9})$', ['sign', 'whole', 'top', 'under']) as parts,
    from spelt_out
),

bare as (
    select
        label,
        word,
        case
            when parts.whole = '' or parts.whole is null then spelt
            when strlen(parts.top) <> 3 and parts.top::bigint between 1 and parts.under::bigint - 1
                then parts.sign || (parts.whole::bigint * parts.under::bigint + parts.top::bigint) || '/' || parts.under
        end as bare_number,
    from mixed
),

matched as (
    select
        *,
        case
            when strlen(bare_number) <= 400
                then regexp_extract(
                    bare_number,
                    '^{{ number }}(?: */ *{{ number }})?$',
                    ['sign', 'whole', 'part', 'power', 'under_sign', 'under_whole', 'under_part', 'under_power']
                )
        end as found,
        contains(bare_number, '/') as is_quotient,
    from bare
),

-- Digits × 10^-scale, without zeros that say nothing; no digits are left of 0.
counted as (
    select
        label,
        word,
        is_quotient,
        found.sign = '-' as is_negative,
        found.under_sign = '-' as is_under_negative,
        {%- for name, at in [('top', ''), ('under', 'under_')] %}
        found.{{ at }}whole <> '' or found.{{ at }}part <> '' as is_{{ name }}_number,
        ltrim(replace(found.{{ at }}whole, ',', '') || found.{{ at }}part, '0') as {{ name }}_digits,
        coalesce(try_cast(found.{{ at }}power as integer), 0) as {{ name }}_power,
        strlen(found.{{ at }}part) as {{ name }}_places,
        {%- endfor %}
    from matched
),

scaled as (
    select
        label,
        word,
        is_quotient,
        is_negative <> (is_quotient and is_under_negative) as is_negative,
        coalesce(
            is_top_number
            and abs(top_power) <= 400
            and (not is_quotient or (is_under_number and abs(under_power) <= 400 and under_digits <> '')),
            false
        ) as is_number,
        {%- for name in ['top', 'under'] %}
        rtrim({{ name }}_digits, '0') as {{ name }}_digits,
        if(
            {{ name }}_digits = '',
            0,
            ({{ name }}_places - {{ name }}_power - strlen({{ name }}_digits) + strlen(rtrim({{ name }}_digits, '0')))::integer
        ) as {{ name }}_scale,
        {%- endfor %}
    from counted
),

-- Both parts of a quotient as whole numbers; null where one of them is too long.
divided as (
    select
        *,
        {%- for name, part, other in [('num', 'top', 'under'), ('den', 'under', 'top')] %}
        case
            when is_number and is_quotient and strlen({{ part }}_digits) + greatest({{ other }}_scale - {{ part }}_scale, 0) <= 18
                then ('0' || {{ part }}_digits || repeat('0', greatest({{ other }}_scale - {{ part }}_scale, 0)))::bigint
        end as {{ name }},
        {%- endfor %}
    from scaled
),

reduced as (
    select
        * exclude (is_number, num, den),
        is_number and (not is_quotient or coalesce(den // gcd(num, den) < 1000000000, false)) as is_number,
        num // gcd(num, den) as num,
        den // gcd(num, den) as den,
    from divided
),

-- A denominator of less than ten digits that has only the factors 2 and 5 divides 10^29.
expanded as (
    select
        *,
        case when is_number and is_quotient then 100000000000000000000000000000::hugeint % den > 0 else false end as is_endless,
        case
            when is_number and is_quotient
                then (num // den)::varchar
                    || lpad(((num % den)::hugeint * 100000000000000000000000000000::hugeint // den)::varchar, 29, '0')
            else top_digits
        end as digits,
        if(is_quotient, 29, top_scale) as scale,
    from reduced
),

placed as (
    select
        label,
        word,
        coalesce(is_number, false) as is_number,
        is_negative and ltrim(digits, '0') <> '' as is_negative,
        is_endless,
        num,
        den,
        -- 0 has no digits here.
        ltrim(if(scale > 0, left(digits, greatest(strlen(digits) - scale, 0)), digits || repeat('0', -scale)), '0') as whole,
        if(scale > 0, rtrim(right(lpad(digits, greatest(scale, strlen(digits))::integer, '0'), scale), '0'), '') as part,
    from expanded
),

formed as (
    select
        *,
        case
            when is_number and is_endless then if(is_negative, '-', '') || num || '/' || den
            when is_number then if(is_negative, '-', '') || if(whole = '', '0', whole) || if(part = '', '', '.' || part)
            -- As it stands, so that what is gated for its length stays gated (published_label).
            when strlen(label) > 100 then label
            when regexp_full_match(word, '[a-zA-Z]') then upper(word)
            when contains(word, '\') then word
            else lower(word)
        end as normal_form,
        -- Longer numbers are larger, then the digits decide; what goes on for ever is above what it begins with.
        lpad(strlen(whole)::varchar, 4, '0') || whole || part || if(is_endless, '!', '') as magnitude,
    from placed
)

select
    label,
    normal_form,
    is_number,
    case
        when not is_number then '2' || lower(normal_form) || chr(1) || normal_form
        -- Among negative numbers the larger magnitude comes first.
        when is_negative then '0' || translate(magnitude, '0123456789', '9876543210') || '~'
        else '1' || magnitude
    end as sort_key,
from formed
{%- endmacro %}

{#- The number that a normal form is; null for words and for what a double cannot hold. -#}
{% macro form_value(normal_form) -%}
if(
    contains({{ normal_form }}, '/'),
    try_cast(split_part({{ normal_form }}, '/', 1) as double) / try_cast(split_part({{ normal_form }}, '/', 2) as double),
    try_cast({{ normal_form }} as double)
)
{%- endmacro %}

{% macro is_whole(normal_form) -%}
not regexp_matches({{ normal_form }}, '[./]')
{%- endmacro %}

{#- Two values whose difference is at most this part of the larger one. -#}
{% macro are_near(a, b, tolerance) -%}
abs({{ a }} - {{ b }}) <= {{ tolerance }} * greatest(abs({{ a }}), abs({{ b }}))
{%- endmacro %}
