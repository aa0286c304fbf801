import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

/** Adds an entry to a list. `error`: what is wrong with the list; the form leads to the button then. */
export function AddButton({
  label,
  error,
  onClick,
}: {
  label: string
  error?: ReactNode
  onClick: () => void
}) {
  const errorId = useId()
  const isRefused = error !== undefined
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        data-refused={isRefused || undefined}
        aria-describedby={isRefused ? errorId : undefined}
        onClick={onClick}
      >
        {label}
      </Button>
      {isRefused && (
        <Text id={errorId} size="sm" c="red" mt={4}>
          {error}
        </Text>
      )}
    </div>
  )
}
