import { Text } from '@mantine/core'
import { Money } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Sellable } from './sale.ts'
import classes from './sellable-facts.module.css'
import { posTexts } from './texts.ts'

/** One of several SKUs to choose from: its name and code, and its price and stock in a column on the right. */
export function SellableFacts({ sellable, name = sellable.name }: { sellable: Sellable; name?: string }) {
  const texts = useTexts(posTexts)
  const { language } = useLanguage()
  const { code, price, stock } = sellable
  return (
    <span className={classes.facts}>
      <span className={classes.name}>
        <Text span display="block">
          {name}
        </Text>
        <Text span size="xs" c="dimmed">
          {code}
        </Text>
      </span>
      <span className={classes.numbers}>
        <Money vnd={price} />
        <Text span size="xs" c="dimmed" display="block">
          {texts.stock(formatNumber(stock, language))}
        </Text>
      </span>
    </span>
  )
}
