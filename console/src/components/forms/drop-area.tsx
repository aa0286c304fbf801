import { type ReactNode, useState } from 'react'
import { CHOOSE_AGAIN } from './choose-again.ts'
import classes from './drop-area.module.css'

/**
 * Takes files that are dropped on it, or chosen by a click. `accept`: media types (`image/png`) and file extensions (`.csv`),
 * separated by commas.
 */
export function DropArea(props: {
  label: string
  accept: string
  maxBytes: number
  isMultiple?: boolean
  isBusy: boolean
  minHeight: number
  onFiles: (files: File[], refused: File[]) => void
  children: ReactNode
}) {
  const { label, accept, maxBytes, isMultiple = false, isBusy, onFiles } = props
  const [isOver, setIsOver] = useState(false)

  function take(all: File[]): void {
    const files = all.filter((file) => isOfKind(file, accept) && file.size <= maxBytes)
    const taken = isMultiple ? files : files.slice(0, 1)
    if (all.length > 0)
      onFiles(
        taken,
        all.filter((file) => !taken.includes(file)),
      )
  }
  return (
    <label
      className={classes.area}
      data-over={isOver || undefined}
      data-busy={isBusy || undefined}
      style={{ minHeight: props.minHeight }}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        if (!isBusy) take([...event.dataTransfer.files])
      }}
    >
      <input
        {...CHOOSE_AGAIN}
        type="file"
        className={classes.input}
        aria-label={label}
        accept={accept}
        multiple={isMultiple}
        disabled={isBusy}
        onChange={({ currentTarget: { files } }) => take([...(files ?? [])])}
      />
      {props.children}
    </label>
  )
}

function isOfKind({ name, type }: File, accept: string): boolean {
  const file = name.toLowerCase()
  return accept.split(',').some((kind) => (kind.startsWith('.') ? file.endsWith(kind) : type === kind))
}
