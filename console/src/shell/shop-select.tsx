import { Select } from '../components/forms/select/select.tsx'
import { useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { useSwitchShop } from './switch-shop.ts'
import { shellTexts } from './texts.ts'

/** Chooses the current shop, for a member of several. */
export function ShopSelect() {
  const texts = useTexts(shellTexts)
  const { shop, shops } = useSession()
  const switchShop = useSwitchShop()
  return (
    <Select
      aria-label={texts.shop}
      size="xs"
      flex={1}
      data={shops.map(({ _id, name }) => ({ value: _id, label: name }))}
      value={shop?._id ?? null}
      allowDeselect={false}
      searchable
      onChange={(id) => id !== null && void switchShop(id)}
    />
  )
}
