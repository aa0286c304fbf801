import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import type { Shown } from './editor/draft.ts'
import { piecesOf } from './editor/params.ts'
import { useFollowWriting } from './follow-writing.ts'
import classes from './phone.module.css'
import { phoneTexts } from './phone-texts.ts'

type Block = Shown['contentBlocks'][number]
type Values = Record<string, string>
type Drawn = { shown: Shown; values: Values }

export type Ground = 'light' | 'dark'

/** A message as the customer's phone shows it, on the background that the reader chooses. `of` is passed to {@link Bubble}. */
export function Phone(props: { shown: Shown; values?: Values; of?: string }) {
  const [ground, setGround] = useState<Ground>('light')
  return (
    <Stack gap="sm">
      <GroundChoice ground={ground} onChange={setGround} />
      <Bubble values={{}} {...props} ground={ground} />
    </Stack>
  )
}

/** The message while it is written: the phone keeps its height, so that nothing else moves, and scrolls to what is changed. */
export function WritingPhone({ shown }: { shown: Shown }) {
  const texts = useTexts(phoneTexts)
  const [ground, setGround] = useState<Ground>('light')
  return (
    <Stack gap="sm">
      <GroundChoice ground={ground} onChange={setGround} />
      <section
        ref={useFollowWriting()}
        className={`${classes.phone} ${classes.writing}`}
        data-ground={ground}
        aria-label={texts.preview}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
        tabIndex={0}
      >
        <Message shown={shown} values={{}} ground={ground} />
      </section>
    </Stack>
  )
}

/** Chooses whether messages are shown on a light or a dark background. */
export function GroundChoice({ ground, onChange }: { ground: Ground; onChange: (ground: Ground) => void }) {
  const texts = useTexts(phoneTexts)
  return (
    <SegmentedControl
      aria-label={texts.ground}
      value={ground}
      onChange={(value) => onChange(value as Ground)}
      data={[
        { value: 'light', label: texts.light },
        { value: 'dark', label: texts.dark },
      ]}
      maw={360}
      w="100%"
      mx="auto"
    />
  )
}

/** One message on a phone that is as high as it. `of` distinguishes it from other messages on the screen. */
export function Bubble({ of, ...message }: Drawn & { ground: Ground; of?: string }) {
  const texts = useTexts(phoneTexts)
  return (
    <section
      className={classes.phone}
      data-ground={message.ground}
      aria-label={of === undefined ? texts.preview : `${texts.preview}: ${of}`}
    >
      <Message {...message} />
    </section>
  )
}

/**
 * A parameter shows its value from `values`, else its sample value, else its label. All content is text; only http and
 * https addresses are loaded as pictures.
 */
function Message({ shown, values, ground }: Drawn & { ground: Ground }) {
  const texts = useTexts(phoneTexts)
  const logo = ground === 'light' ? shown.logoLight : shown.logoDark
  return (
    <div className={classes.message}>
      {shown.imageType === 'logo' ? (
        <Logo address={logo} />
      ) : (
        [...new Set(shown.images ?? [])]
          .filter(isWebAddress)
          .map((address) => <img key={address} className={classes.picture} src={address} alt="" />)
      )}
      <div className={classes.title}>
        {shown.title === '' ? (
          <span className={classes.missing}>{texts.noTitle}</span>
        ) : (
          <Filled text={shown.title} shown={shown} values={values} />
        )}
      </div>
      {shown.contentBlocks.map((block) => (
        <BlockView key={block.id} block={block} shown={shown} values={values} />
      ))}
      {shown.buttons.map(({ label, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered from the template, whose buttons may be equal and hold no state
        <div key={index} className={classes.button} title={value}>
          {label === '' ? '…' : <Filled text={label} shown={shown} values={values} />}
        </div>
      ))}
    </div>
  )
}

function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

function Logo({ address }: { address: string | undefined }) {
  if (address === undefined || !isWebAddress(address)) return <div className={classes.noLogo} />
  return <img className={classes.logo} src={address} alt="" />
}

/** The text with its parameters' values, each in its own colour. */
function Filled({ text, shown, values }: Drawn & { text: string }) {
  const params = new Map(shown.params.map((param) => [param.key, param]))
  return piecesOf(text).map((piece, index) => {
    if (typeof piece === 'string') return piece
    const param = params.get(piece.key)
    const value = values[piece.key] || param?.sampleValue || param?.label || `<${piece.key}>`
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rendered from the text, in which a piece is identified by its place
      <span key={index} className={rowClass(param?.rowType)}>
        {value}
      </span>
    )
  })
}

function rowClass(rowType: number | undefined): string | undefined {
  return rowType === undefined || rowType === 0 ? undefined : classes[`row${rowType}`]
}

function BlockView({ block, ...drawn }: Drawn & { block: Block }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p>
          <Filled text={block.value ?? ''} {...drawn} />
        </p>
      )
    case 'table':
      return (
        <table>
          <tbody>
            {(block.rows ?? []).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rendered from the template, whose rows may be equal and hold no state
              <tr key={index}>
                <th scope="row">
                  <Filled text={row.label} {...drawn} />
                </th>
                <td className={rowClass(row.rowType)}>
                  <Filled text={row.key} {...drawn} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )
    case 'voucher':
      return block.voucher === undefined ? null : <VoucherView voucher={block.voucher} {...drawn} />
    case 'rating':
      return block.rating === undefined ? null : <RatingView items={block.rating.items} {...drawn} />
  }
}

function VoucherView({ voucher, ...drawn }: Drawn & { voucher: NonNullable<Block['voucher']> }) {
  const texts = useTexts(phoneTexts)
  return (
    <div className={classes.voucher}>
      <strong>
        <Filled text={voucher.title} {...drawn} />
      </strong>
      <p>
        <Filled text={voucher.condition} {...drawn} />
      </p>
      <p>
        {texts.code}{' '}
        <span className={classes.code}>
          <Filled text={voucher.code} {...drawn} />
        </span>
      </p>
      <p className={classes.dim}>
        {voucher.startDate !== undefined && (
          <>
            {texts.from} <Filled text={voucher.startDate} {...drawn} /> ·{' '}
          </>
        )}
        {texts.until} <Filled text={voucher.expiryDate} {...drawn} />
      </p>
    </div>
  )
}

function RatingView({ items, ...drawn }: Drawn & { items: NonNullable<Block['rating']>['items'] }) {
  const texts = useTexts(phoneTexts)
  return (
    <div>
      <div className={classes.stars} role="img" aria-label={texts.rating}>
        {stars(5)}
      </div>
      {[...items]
        .sort((one, other) => other.star - one.star)
        .map((item) => (
          <div key={item.star} className={classes.item}>
            <strong>
              {stars(item.star)} <Filled text={item.title} {...drawn} />
            </strong>
            <p>
              <Filled text={item.question} {...drawn} />
            </p>
            {(item.answers ?? []).length > 0 && (
              <ul className={classes.answers}>
                {[...new Set(item.answers)].map((answer) => (
                  <li key={answer}>
                    <Filled text={answer} {...drawn} />
                  </li>
                ))}
              </ul>
            )}
            {item.thanks && (
              <p className={classes.dim}>
                <Filled text={item.thanks} {...drawn} />
              </p>
            )}
            {item.description && (
              <p className={classes.dim}>
                <Filled text={item.description} {...drawn} />
              </p>
            )}
          </div>
        ))}
    </div>
  )
}

function stars(count: number): string {
  return '★'.repeat(count) + '☆'.repeat(5 - count)
}
