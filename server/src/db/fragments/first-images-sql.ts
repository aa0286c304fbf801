/** The most bytes of product images, and of SKU images, that a record of many parts repeats. */
const MOST_BYTES = 1_000_000

/**
 * SQL for the images that a part of a record shows of its product or SKU: all of them, unless they exceed the part's share of a
 * megabyte; then the first that fit (decision 0060). `images` is a jsonb list of texts, `parts` the number of the record's parts.
 */
export function firstImages(images: string, parts: string): string {
  const share = `(${MOST_BYTES} / ${parts})`
  // The first two conditions hold for nearly all images and imply the third's result. The first of them reads nothing.
  return `(case
    when pg_column_compression(${images}) is null and pg_column_size(${images}) <= ${share} then ${images}
    when octet_length(${images}::text) <= ${share} then ${images}
    else (
      select coalesce(jsonb_agg(one.image order by one.n), '[]')
      from (
        select e.image, e.n, sum(octet_length(e.image)) over (order by e.n) as upto
        from jsonb_array_elements_text(${images}) with ordinality as e (image, n)
      ) as one
      where one.upto <= ${share}
    )
  end)`
}
