-- The cell of each debate with texts, by its stored answers and by what each profile reads, under two ways to make cells.

with panels as (
    select * from {{ ref('int_reparse_panels') }}
),

debates as (
    select * from {{ ref('int_debates') }}
),

bases as (
    select * from {{ ref('int_reparse_bases') }}
),

starts as (
    select * from panels
    where place = 0
),

ended as (
    select
        debates.cohort,
        debates.model,
        debates.family,
        bases.basis,
        bases.panel_decision,
        bases.undecided_panel,
        bases.unread_panel,
        starts.debate_id,
        starts.profile,
        starts.correct_label is not null as has_gold,
        least(starts.n_texts, ends.n_texts) > 0 as has_texts,
        starts.n_answers_without_text + if(ends.place > 0, ends.n_answers_without_text, 0) > 0 as is_incomplete,
        {%- for at, panel in [('initial', 'starts'), ('final', 'ends')] %}
        if(bases.panel_decision = 'plurality', {{ panel }}.plurality_correct, {{ panel }}.alphabetical_correct) as {{ at }}_decision,
        if(bases.panel_decision = 'plurality', {{ panel }}.plurality_unread, {{ panel }}.alphabetical_unread) as is_{{ at }}_unread,
        {%- endfor %}
        -- Both panels have a majority, whatever an undecided one counts as.
        case bases.panel_decision
            when 'plurality' then starts.n_leaders = 1 and ends.n_leaders = 1
            else starts.majority is not null and ends.majority is not null
        end as is_labelled,
    from starts
    inner join debates using (debate_id)
    inner join bases using (cohort)
    inner join panels as ends
        on
            starts.debate_id = ends.debate_id
            and starts.profile = ends.profile
            and (
                (bases.endpoint_round is null and ends.is_last)
                or bases.endpoint_round = ends.round
                or (ends.is_last and bases.endpoint_round > ends.round)
            )
),

stated as (
    select
        *,
        {{ panel_state('initial_decision', 'is_initial_unread') }} as initial_state,
        {{ panel_state('final_decision', 'is_final_unread') }} as final_state,
    from ended
),

celled as (
    select
        *,
        {{ transition_cell('initial_state', 'final_state') }} as cell,
    from stated
)

select
    coded.cohort,
    coded.model,
    coded.family,
    coded.debate_id,
    coded.basis,
    coded.profile,
    coded.has_gold,
    coded.has_texts,
    coded.is_incomplete,
    stored.cell as primary_cell,
    coded.cell,
    coded.is_labelled,
from celled as coded
inner join celled as stored using (cohort, debate_id, basis)
where coded.profile <> 'stored' and stored.profile = 'stored'
