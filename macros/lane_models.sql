{#- The seeds' name of a lane's model: its own row first, then its file's, then a spelling or a name that the seeds know. -#}
{% macro lane_model_columns() -%}
coalesce(by_lane.model, by_file.model, aliases.model, models.model, named.own_name) as model,
        case
            when coalesce(by_lane.model, by_file.model) is not null then 'lane_models'
            when aliases.model is not null then 'model_aliases'
            when models.model is not null then 'models'
            else 'own name'
        end as model_found_in
{%- endmacro %}

{#- Goes with a CTE `named` of (file_key, stem, stored_model, own_name) and the three seeds under their names. -#}
{% macro lane_model_joins() -%}
left join lane_models as by_lane
        on by_lane.file_key in (named.file_key, named.stem) and named.stored_model = by_lane.stored_model
    left join lane_models as by_file
        on by_file.file_key in (named.file_key, named.stem) and by_file.stored_model is null
    left join aliases on lower(named.own_name) = lower(aliases.stored_model)
    left join models on lower(named.own_name) = lower(models.model)
{%- endmacro %}
