import { Anchor, Text } from '@mantine/core'
import { useTexts } from '../texts/language.tsx'
import { useSession } from './session.tsx'
import { shellTexts } from './texts.ts'

/** How to reach the operator, on screens that tell people to ask them; empty if the operator has not said. */
export function OperatorContact() {
  const texts = useTexts(shellTexts)
  const { operatorContact } = useSession()
  if (operatorContact === undefined) return null
  const address = addressOf(operatorContact)
  return (
    <Text size="sm">
      {texts.operatorContact}{' '}
      {address === undefined ? (
        operatorContact
      ) : (
        <Anchor href={address} inherit>
          {operatorContact}
        </Anchor>
      )}
    </Text>
  )
}

/** What a contact opens if it is only an email address, a telephone number or a page. */
function addressOf(contact: string): string | undefined {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(contact)) return `mailto:${contact}`
  if (/^\+?[\d .()-]{6,20}$/.test(contact)) return `tel:${contact.replace(/[^\d+]/g, '')}`
  return /^https:\/\/\S+$/.test(contact) ? contact : undefined
}
