import {
  ComboboxChevron,
  getOptionsLockup,
  getParsedComboboxData,
  InputBase,
  type SelectProps,
} from '@mantine/core'
import { keepEnter } from '../../../theme/pickers.ts'

export type PickerProps = Omit<SelectProps, 'defaultValue'>

/** The appearance of a picker before anybody uses it. */
export function ClosedSelect(
  props: PickerProps & { typed: string | undefined; onType: (text: string) => void; onEnter: () => void },
) {
  const {
    data,
    value,
    typed,
    onType,
    onEnter,
    searchable = false,
    searchValue,
    onSearchChange,
    size = 'sm',
    error,
    // These belong to the list and its options.
    allowDeselect,
    clearable,
    filter,
    limit,
    nothingFoundMessage,
    onChange,
    onKeyDown,
    renderOption,
    selectFirstOptionOnChange,
    ...field
  } = props
  const chosen = getOptionsLockup(getParsedComboboxData(data))[String(value)]
  return (
    <InputBase
      {...field}
      size={size}
      error={error}
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      autoComplete="off"
      pointer={!searchable}
      readOnly={!searchable}
      rightSection={<ComboboxChevron size={size} error={error} />}
      rightSectionPointerEvents="none"
      value={typed ?? chosen?.label ?? searchValue ?? ''}
      onKeyDown={(event) => {
        if (onKeyDown !== undefined) return onKeyDown(event)
        keepEnter(event)
        if (event.key === 'Enter') onEnter()
      }}
      onChange={(event) => {
        onType(event.currentTarget.value)
        onSearchChange?.(event.currentTarget.value)
      }}
    />
  )
}
