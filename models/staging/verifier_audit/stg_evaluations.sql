-- What a verifier gave to the right option of a question: one row per evaluation, typed.
-- A probability has eight decimals, so it is a whole number of 10⁻⁸; nothing is compared in doubles.

with records as (
    select
        rowid as line_id,
        {%- for key in evaluation_scalars() %}
        trim(struct_extract(evaluation, '{{ key }}')) as {{ key }},
        {%- endfor %}
    from {{ ref('raw_records') }}
    where kind = 'evaluation'
),

lines as (
    select * from {{ ref('raw_lines') }}
    where kind = 'evaluation'
),

files as (
    select * from {{ ref('raw_files') }}
),

names as (
    select * from {{ ref('audit_names') }}
),

datasets as (
    select * from names
    where kind = 'dataset'
),

models as (
    select * from names
    where kind = 'model'
)

select
    files.folder as cohort,
    lines.file_id,
    lines.file_key,
    lines.line_number,
    {{ published_key('records.run_id') }} as run_id,
    coalesce(records.stage, 'one') as stage,
    coalesce({{ published_key("nullif(records.pool, '')") }}, 'any') as pool,
    coalesce(datasets.name, {{ published_label('records.dataset') }}) as dataset,
    coalesce(models.name, {{ published_label('records.model') }}) as model,
    records.arm,
    {{ published_key('records.pair_id') }} as pair_id,
    records.dataset_index::integer as dataset_index,
    records.phase,
    records.q_key,
    case
        when records.phase = 'search' then coalesce({{ published_key("nullif(records.generator, '')") }}, 'search')
        when records.phase = 'test' then {{ published_key('records.generator') }}
        else '-'
    end as generator,
    coalesce(records.draw::integer, 0) as draw,
    lower(records.question_sha256) as question_sha256,
    replace(records.p_true, '.', '')::integer as p_e8,
    records.correct::boolean as is_correct,
    coalesce(records.stop::boolean, false) as is_stop,
    {{ as_timestamp('records.scored_at') }} as scored_at,
from records
inner join lines using (line_id)
inner join files using (file_id)
left join datasets on records.dataset = datasets.stored_name
left join models on records.model = models.stored_name
