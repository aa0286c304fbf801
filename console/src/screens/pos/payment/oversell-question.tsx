import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { ask } from '../../../components/dialogs/questions.tsx'
import { formatNumber } from '../../../format.ts'
import { catalogue } from '../../../texts/catalogue.ts'
import { common } from '../../../texts/common.ts'
import { useLanguage, useTexts } from '../../../texts/language.tsx'
import { isFarAboveStock, type SaleLine } from '../sale.ts'

const questionTexts = catalogue(
  {
    more: (count: string, name: string, stock: string) =>
      stock === '0'
        ? `Bán ${count} ${name}? Trong kho đã hết.`
        : `Bán ${count} ${name}? Trong kho chỉ còn ${stock}.`,
    sell: 'Bán',
    correct: 'Sửa lại',
  },
  {
    more: (count: string, name: string, stock: string) =>
      stock === '0'
        ? `Sell ${count} ${name}? None are left in stock.`
        : `Sell ${count} ${name}? Only ${stock} are in stock.`,
    sell: 'Sell',
    correct: 'Correct',
  },
)

/**
 * Asks before lines are sold whose quantity is far above the stock. It is asked while it is rendered, which ends when the sale
 * changes, as by a scan.
 */
export function OversellQuestion(props: {
  lines: readonly SaleLine[]
  onSell: () => void
  onClose: () => void
}) {
  const texts = useTexts(questionTexts)
  const { confirmTitle } = useTexts(common)
  const { language } = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, about the sale that it was rendered for.
  useEffect(() => {
    let isOpen = true
    const close = ask({
      title: confirmTitle,
      children: (
        <Stack>
          {props.lines.filter(isFarAboveStock).map(({ skuId, name, quantity, stock }) => (
            <Text key={skuId} size="sm">
              {texts.more(formatNumber(quantity, language), name, formatNumber(Math.max(0, stock), language))}
            </Text>
          ))}
          <Group justify="flex-end">
            <Button data-autofocus variant="default" onClick={() => close()}>
              {texts.correct}
            </Button>
            <Button
              onClick={() => {
                // While the dialog fades out, a second press finds no question.
                if (!isOpen) return
                props.onSell()
                close()
              }}
            >
              {texts.sell}
            </Button>
          </Group>
        </Stack>
      ),
      onClose() {
        if (isOpen) props.onClose()
        isOpen = false
      },
    })
    return () => {
      isOpen = false
      close()
    }
  }, [])
  return null
}
