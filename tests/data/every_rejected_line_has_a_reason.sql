select * from {{ ref('raw_lines') }}
where kind = 'rejected' and coalesce(trim(reason), '') = ''
