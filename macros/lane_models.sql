{#- The seeds' name of a lane's model: its own row first, then its file's, then a spelling or a name that the seeds know. -#}
{% macro lane_model_columns() -%}
coalesce(lane_models.model, aliases.model, models.model, named.own_name) as model,
        case
            when lane_models.model is not null then 'lane_models'
            when aliases.model is not null then 'model_aliases'
            when models.model is not null then 'models'
            else 'own name'
        end as model_found_in
{%- endmacro %}

{#-
    Goes with a CTE `named` of (file_key, stem, stored_model, own_name and the columns `lane`, which tell its rows apart) and the three
    seeds under their names. `condition` is the lane's, null where its kind has none. Of the rows of lane_models that fit, the one that
    says most counts; two that say as much and differ give the lane twice, which a test finds.
-#}
{% macro lane_model_joins(lane, condition='null') -%}
left join lane_models
        on
            lane_models.file_key in (named.file_key, named.stem)
            and (lane_models.stored_model is null or lane_models.stored_model = named.stored_model)
            and (lane_models.condition is null or lane_models.condition = {{ condition }})
    left join aliases on lower(named.own_name) = lower(aliases.stored_model)
    left join models on lower(named.own_name) = lower(models.model)
    qualify
        rank() over (
            partition by {% for column in lane %}named.{{ column }}{{ ', ' if not loop.last }}{% endfor %}
            order by lane_models.stored_model is null, lane_models.condition is null
        ) = 1
{%- endmacro %}
