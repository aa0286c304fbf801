import { Stack, UnstyledButton } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { isServiceAway, LONGEST_WAIT_MS, useIsAway } from '../../api/connection.ts'
import { isLost } from '../../api/outcome.ts'
import { dataOf } from '../../api/problem.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { Chip } from '../../components/lists/chip.tsx'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { categoriesQuery } from '../products/product-queries.ts'
import { listKeptProducts } from './outage/find-kept.ts'
import type { KeptProduct } from './outage/kept-store.ts'
import type { Sellable } from './sale.ts'
import { fromWarehouse, sellablesOf } from './scan/find-sellables.ts'
import { SellableFacts } from './sellable-facts.tsx'
import { posTexts } from './texts.ts'
import classes from './tiles.module.css'

/** With more products, searching by name is faster. */
const MOST = 48
/** The number that a phone shows at first (tiles.module.css). */
const FEW = 6
const TINTS = 6

/** The products of a category or all: from the service, or from this browser's copy if the service is unavailable. */
const tilesQuery = (shopId: string, category: string | undefined, isAway: boolean) =>
  queryOptions({
    queryKey: ['products', 'tiles', shopId, category, isAway],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<KeptProduct[]> => {
      if (isServiceAway()) return listKeptProducts(shopId, category, MOST)
      const query = {
        // A page by cursor has as many as fit into a response, instead of being refused.
        cursor: '*',
        limit: MOST,
        total: 'none',
        select: 'skus,wholesalePrices',
        ...fromWarehouse(shopId),
        ...(category === undefined ? {} : { category }),
      } as const
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS)
      try {
        const { data } = await dataOf(api.GET('/api/external/v1/products', { params: { query }, signal }))
        return data.products.filter(({ status }) => status === 'active')
      } catch (error) {
        if (!isLost(error)) throw error
        return listKeptProducts(shopId, category, MOST)
      }
    },
  })

/** The products as pictures to tap, by category. A product with several SKUs asks which one; `onLeft`: none was chosen. */
export function Tiles(props: { shopId: string; onTake: (sellable: Sellable) => void; onLeft: () => void }) {
  const texts = useTexts(posTexts)
  const [category, setCategory] = useState<string>()
  const [isAll, setIsAll] = useState(false)
  const [asked, setAsked] = useState<KeptProduct>()
  const categories = useQuery(categoriesQuery)
  const products = useQuery(tilesQuery(props.shopId, category, useIsAway()))
  const shown = (products.data ?? []).filter((product) => sellablesOf(product).length > 0)
  const roots = (categories.data ?? []).filter(({ depth }) => depth === 0)

  function take(product: KeptProduct) {
    const kinds = sellablesOf(product)
    if (kinds.length === 1) props.onTake(kinds[0]!)
    else setAsked(product)
  }

  return (
    <section aria-label={texts.tiles} className="no-print">
      <div className={classes.categories}>
        {[{ _id: undefined, name: texts.allProducts }, ...roots].map(({ _id, name }) => (
          <Chip
            key={_id ?? ''}
            size="md"
            variant={_id === category ? 'filled' : 'default'}
            aria-pressed={_id === category}
            onClick={() => setCategory(_id)}
          >
            {name}
          </Chip>
        ))}
      </div>
      <div
        className={classes.tiles}
        data-stale={products.isPlaceholderData || undefined}
        data-all={isAll || undefined}
      >
        {shown.map((product) => (
          <Tile key={product._id} product={product} onTake={() => take(product)} />
        ))}
      </div>
      {!isAll && shown.length > FEW && (
        <Chip className={classes.all} onClick={() => setIsAll(true)}>
          {texts.showAll}
        </Chip>
      )}
      <Dialog
        opened={asked !== undefined}
        onClose={() => {
          setAsked(undefined)
          props.onLeft()
        }}
        title={asked?.name}
        // The focus goes to the scan field, not back to the tile, and at once: a scan or F9 may follow immediately.
        returnFocus={false}
        transitionProps={{ duration: 0 }}
      >
        <Stack gap="xs">
          {asked !== undefined &&
            sellablesOf(asked).map((kind) => (
              <UnstyledButton
                key={kind.skuId}
                className={classes.kind}
                onClick={() => {
                  setAsked(undefined)
                  props.onTake(kind)
                }}
              >
                <SellableFacts sellable={kind} name={nameWithin(asked, kind)} />
              </UnstyledButton>
            ))}
        </Stack>
      </Dialog>
    </section>
  )
}

function Tile(props: { product: KeptProduct; onTake: () => void }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { product } = props
  const kinds = sellablesOf(product)
  const [isBroken, setIsBroken] = useState(false)
  const picture = isBroken ? undefined : product.images?.[0]
  const stock = kinds.reduce((sum, kind) => sum + kind.stock, 0)
  const prices = kinds.map(({ price }) => price)
  const lowest = Math.min(...prices)
  return (
    <UnstyledButton className={classes.tile} onClick={props.onTake}>
      <span className={classes.picture} data-tint={tintOf(product.name)} aria-hidden>
        {picture === undefined ? (
          product.name.trim().charAt(0).toLocaleUpperCase('vi')
        ) : (
          <img src={picture} alt="" loading="lazy" onError={() => setIsBroken(true)} />
        )}
      </span>
      <span className={classes.name}>{product.name}</span>
      <span className={classes.foot}>
        <span className={classes.price}>
          {lowest < Math.max(...prices) && `${texts.from} `}
          <Money vnd={lowest} />
        </span>
        <span className={classes.stock} data-none={stock <= 0 || undefined}>
          {stock > 0 ? texts.stock(formatNumber(stock, language)) : texts.outOfStock}
        </span>
      </span>
    </UnstyledButton>
  )
}

/** The name of a kind below its product's, which is not repeated. */
function nameWithin(product: KeptProduct, { name }: Sellable): string {
  const start = `${product.name} - `
  return name.startsWith(start) ? name.slice(start.length) : name
}

/** The background colour for a name, always the same for the same name. */
function tintOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9_973
  return sum % TINTS
}
