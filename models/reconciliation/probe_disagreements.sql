-- What a probe line stores and what its replies give, where the two differ.

with batteries as (
    select * from {{ ref('stg_probe_rows') }}
),

counted as (
    select * from {{ ref('int_probe_batteries') }}
),

replies as (
    select * from {{ ref('stg_probe_replies') }}
),

question_keys as (
    select * from {{ ref('int_question_keys') }}
),

joined as (
    select
        batteries.battery_key,
        batteries.stored_initial_correct,
        batteries.initial_answer,
        batteries.correct_label,
        batteries.stored_n_replies,
        batteries.stored_n_revised,
        batteries.stored_n_unparsed,
        batteries.stored_flip_rate,
        batteries.stored_solo_flip_rate,
        batteries.stored_social_flip_rate,
        batteries.stored_social_sensitivity,
        batteries.stored_argument_sensitivity,
        batteries.stored_sa_ratio,
        batteries.has_replies,
        counted.* exclude (battery_id, battery_key, dialect, question_id, benchmark, correct_label, initial_answer),
        {{ argument_range('counted') }} as recounted_argument_sensitivity,
        {{ social_sensitivity('counted') }} as recounted_social_sensitivity,
    from batteries
    inner join counted using (battery_id)
),

differing as (
    select
        battery_key,
        'first answer right' as what,
        stored_initial_correct::varchar as stored,
        coalesce(initial_answer = correct_label, false)::varchar as recomputed,
    from joined
    where
        correct_label is not null
        and stored_initial_correct is distinct from coalesce(initial_answer = correct_label, false)
        and stored_initial_correct is not null
    {%- for what, stored, recomputed in [
        ('replies', 'stored_n_replies', 'n_replies'),
        ('revised replies', 'stored_n_revised', 'n_stored_flip'),
        ('unparsed replies', 'stored_n_unparsed', 'n_unparsed'),
    ] %}
    union all
    select
        battery_key,
        '{{ what }}' as what,
        {{ stored }}::varchar as stored,
        {{ recomputed }}::varchar as recomputed,
    from joined
    where has_replies and {{ stored }} is not null and {{ stored }} is distinct from {{ recomputed }}
    {%- endfor %}
    {%- for what, stored, recomputed in [
        ('flip rate', 'stored_flip_rate', 'n_flip / n_replies'),
        ('solo flip rate', 'stored_solo_flip_rate', part_rate('joined', 'solo')),
        ('social flip rate', 'stored_social_flip_rate', part_rate('joined', 'social')),
        ('social sensitivity', 'stored_social_sensitivity', 'recounted_social_sensitivity'),
        ('argument sensitivity (very strong against weak)', 'stored_argument_sensitivity', 'recounted_argument_sensitivity'),
        ('sa_ratio', 'stored_sa_ratio', 'recounted_social_sensitivity / nullif(recounted_argument_sensitivity, 0)'),
    ] %}
    union all
    select
        battery_key,
        '{{ what }}' as what,
        {{ stored }}::varchar as stored,
        ({{ recomputed }})::varchar as recomputed,
    from joined
    where {{ stored }} is not null and coalesce(abs({{ stored }} - ({{ recomputed }})) > 1e-6, true)
    {%- endfor %}
    union all
    -- A right first answer is the key, unless other lines of the question know another one.
    select
        batteries.battery_key,
        'answer key' as what,
        {{ published_label('counted.correct_label') }} as stored,
        {{ published_label('question_keys.correct_label') }} as recomputed,
    from counted
    inner join batteries using (battery_id)
    inner join question_keys on counted.question_id = question_keys.question_id
    where counted.label_source = 'first answer' and counted.correct_label <> question_keys.correct_label
    union all
    select
        batteries.battery_key,
        'reply ' || replies.reply_number || ' first answer' as what,
        {{ published_label('replies.original_answer') }} as stored,
        {{ published_label('replies.initial_answer') }} as recomputed,
    from replies
    inner join batteries using (battery_id)
    where replies.original_answer <> replies.initial_answer
    union all
    select
        batteries.battery_key,
        'reply ' || replies.reply_number || ' revised' as what,
        replies.stored_revised::varchar as stored,
        coalesce(replies.is_revised, false)::varchar as recomputed,
    from replies
    inner join batteries using (battery_id)
    where
        replies.stored_revised is not null
        -- An unparsed reply is stored as not revised; without a first answer nothing is known.
        and replies.initial_answer is not null
        and replies.stored_revised <> coalesce(replies.is_revised, false)
)

select * from differing
