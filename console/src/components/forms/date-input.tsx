import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { isNoSuchDay, readDay, readMoment, writeDay, writeMoment } from '../../dates.ts'
import { today } from '../../format.ts'
import { common } from '../../texts/common.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import classes from './date-input.module.css'

const DAY = { type: 'date', read: readDay, write: writeDay }
const PAST_DAY = { ...DAY, read: (text: string) => readDay(text, today()) }
const MOMENT = { type: 'datetime-local', read: readMoment, write: writeMoment }
const FORMS = {
  vi: { day: 'ngày/tháng/năm', time: 'giờ:phút' },
  en: { day: 'dd/mm/yyyy', time: 'hh:mm' },
}
const NO_SUCH_DAY = { vi: 'Không có ngày này.', en: 'This day does not exist.' }
/** A date counts only after its year is complete: `20` is the beginning of 2026. Pasted ones may begin with it. */
const HAS_YEAR = /\d{4}(\s|$)|^\s*\d{4}-/

/**
 * A field for a day, `2026-11-22`, or with `hasTime` a day and time, `2026-11-22T09:30`. It is typed as 22/11/2026
 * whatever the browser's language, or chosen from the browser's calendar. The value is empty while nothing is typed. A
 * form with an invalid date is not sent.
 */
export function DateInput(
  props: Omit<TextInputProps, 'value' | 'onChange'> & {
    value?: string
    onChange?: (value: string) => void
    hasTime?: boolean
    /** Whether the day lies in the past, as a birthday does: 90 is then 1990. */
    isPast?: boolean
    /** Called with whether the input is an invalid date. Needed outside a form, where nothing else prevents its use. */
    onWrong?: (isWrong: boolean) => void
  },
) {
  const { value = '', onChange, onBlur, error, hasTime = false, isPast = false, onWrong, ...rest } = props
  const texts = useTexts(common)
  const { language } = useLanguage()
  const { type, read, write } = hasTime ? MOMENT : isPast ? PAST_DAY : DAY
  const { day, time } = FORMS[language]
  const form = hasTime ? `${day} ${time}` : day
  const [text, setText] = useState(write(value))
  const [shown, setShown] = useState(value)
  const [isLeft, setLeft] = useState(true)
  const reported = useRef(value)
  const field = useRef<HTMLInputElement>(null)
  const calendar = useRef<HTMLInputElement>(null)
  if (shown !== value) {
    setShown(value)
    // The value was changed from outside, by a link or the back button.
    if (reported.current !== value) setText(write(value))
    reported.current = value
  }
  const isWrong = text.trim() !== '' && read(text) === undefined
  const why = isNoSuchDay(text, read) ? `${NO_SUCH_DAY[language]} ${texts.noDate(form)}` : texts.noDate(form)
  const wrong = isWrong ? why : ''
  useEffect(() => field.current?.setCustomValidity(wrong), [wrong])
  useEffect(() => onWrong?.(isWrong), [isWrong, onWrong])
  const report = (next: string) => {
    reported.current = next
    if (next !== value) onChange?.(next)
  }
  return (
    <TextInput
      ref={field}
      placeholder={form}
      autoComplete="off"
      // Digits alone are enough.
      inputMode="numeric"
      {...rest}
      value={text}
      error={error || (isLeft && wrong)}
      onChange={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        setLeft(false)
        report(HAS_YEAR.test(typed) ? (read(typed) ?? '') : '')
      }}
      onBlur={(event) => {
        setLeft(true)
        const typed = read(text)
        if (typed !== undefined) setText(write(typed))
        report(typed ?? '')
        onBlur?.(event)
      }}
      rightSection={
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.chooseDate}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden />
          </ActionIcon>
          <input
            ref={calendar}
            type={type}
            className={classes.calendar}
            tabIndex={-1}
            aria-hidden
            value={value}
            onChange={(event) => {
              setText(write(event.currentTarget.value))
              report(event.currentTarget.value)
            }}
          />
        </>
      }
    />
  )
}
