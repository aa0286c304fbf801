import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Problem } from '../../../../api/problem.ts'
import { ConfirmButton } from '../../../../components/actions.tsx'
import { useLeaveQuestion } from '../../../../components/forms/leave-question.tsx'
import { KEY_IS_GOOD_MS } from '../../../../components/forms/sent-once.ts'
import { Card, ProblemNote } from '../../../../components/page.tsx'
import { formatNumber } from '../../../../format.ts'
import { useLanguage, useTexts } from '../../../../texts/language.tsx'
import { batchTexts } from '../batch-texts.ts'
import { LiveBatch } from '../live-batch.tsx'
import { MAX_MESSAGES, type RefusedRow } from '../plan-batch.ts'
import type { BatchPlan } from './kept-plan.ts'
import { saveRows } from './save-rows.ts'
import { sendingTexts } from './sending-texts.ts'

/** A batch from the press of its button on: how far it is, what to do if it was interrupted, and its result. */
export function PlanProgress(props: {
  plan: BatchPlan
  sending: { isPending: boolean; error: unknown }
  onGoOn: () => void
  onDiscard: () => void
}) {
  const { plan, sending } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const results = plan.calls.flatMap(({ result }) => result ?? [])
  const all = plan.rows.length
  const done = Math.min(results.length * MAX_MESSAGES, all)
  useLeaveQuestion(sending.isPending && done < all)
  const handedIn = texts.handedIn(formatNumber(done, language), formatNumber(all, language))
  return (
    <>
      <Card title={plan.name || texts.add}>
        <Stack>
          <Progress value={(done / all) * 100} animated={sending.isPending} aria-label={handedIn} />
          <Text size="sm" role="status">
            {handedIn}
          </Text>
          {sending.error instanceof Problem && <ProblemNote error={sending.error} />}
          {done < all && !sending.isPending && <Interrupted {...props} done={done} />}
        </Stack>
      </Card>
      {results.length > 0 && (
        <BatchResult
          fileName={texts.refusedFile(plan.name || texts.title)}
          header={plan.header}
          refused={[...plan.unsent, ...results.flatMap(({ refused }) => refused)]}
          accepted={results.reduce((sum, { accepted }) => sum + accepted, 0)}
          batchIds={results.map(({ batchId }) => batchId)}
        />
      )}
      {done === all && (
        <Group>
          <Button variant="default" onClick={props.onDiscard}>
            {texts.another}
          </Button>
        </Group>
      )}
    </>
  )
}

/** Says what is unknown or not sent after the first `done` rows, and what each way out does. */
function Interrupted(props: { plan: BatchPlan; done: number; onGoOn: () => void; onDiscard: () => void }) {
  const { plan, done, onGoOn, onDiscard } = props
  const texts = useTexts(sendingTexts)
  const words = useTexts(batchTexts)
  const { language } = useLanguage()
  const show = (value: number) => formatNumber(value, language)
  const { triedAtMs } = plan.calls.find(({ result }) => result === undefined)!
  const isUnsure = triedAtMs !== undefined
  const isTooOld = isUnsure && Date.now() - triedAtMs > KEY_IS_GOOD_MS
  const left = plan.rows.length - done
  const unsure = isUnsure ? Math.min(left, MAX_MESSAGES) : 0
  const risks = [
    unsure > 0 && texts.unsureRisk(show(unsure)),
    left > unsure && texts.restRisk(show(left - unsure)),
    done > 0 && texts.acceptedRisk(show(done)),
  ].filter((risk) => risk !== false)

  function saveRest(): void {
    const rest = plan.rows.slice(done).map(({ fields, line }, index) => ({
      fields,
      line,
      reason: index < unsure ? texts.unsureRow : texts.unsentRow,
    }))
    saveRows(texts.restFile(plan.name || words.title), plan.header, rest, words)
  }

  return (
    <Alert color="yellow" title={isUnsure ? texts.unsureTitle : texts.stoppedTitle} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {isTooOld && texts.tooOldHint(show(unsure))}
          {isUnsure && !isTooOld && texts.unsureHint(show(unsure))}
          {!isUnsure && texts.stoppedHint(show(left))}
        </Text>
        <Group gap="xs">
          {!isTooOld && (
            <Button size="xs" onClick={onGoOn}>
              {isUnsure ? texts.sendSame : words.goOn}
            </Button>
          )}
          <Button size="xs" variant="default" component={Link} to="/messages/batches">
            {texts.look}
          </Button>
          <Button size="xs" variant="default" onClick={saveRest}>
            {texts.saveRest}
          </Button>
          <ConfirmButton
            size="xs"
            question={risks.join(' ')}
            confirm={texts.discard}
            onConfirm={() => onDiscard()}
          >
            {texts.discard}
          </ConfirmButton>
        </Group>
      </Stack>
    </Alert>
  )
}

/** How many rows were accepted and refused, the refused ones as a file, and the progress of the batches. */
export function BatchResult(props: {
  fileName: string
  header: string[]
  refused: RefusedRow[]
  accepted: number
  batchIds: string[]
}) {
  const { fileName, header, accepted, batchIds } = props
  const texts = useTexts(batchTexts)
  const { language } = useLanguage()
  const refused = props.refused.toSorted((one, other) => one.line - other.line)
  const show = (value: number) => formatNumber(value, language)
  return (
    <Card title={texts.result}>
      <Stack>
        <Text role="status">{texts.acceptedRefused(show(accepted), show(refused.length))}</Text>
        {refused.length > 0 && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              onClick={() => saveRows(fileName, header, refused, texts)}
            >
              {texts.download}
            </Button>
          </Group>
        )}
        {batchIds.map((id) => (
          <LiveBatch key={id} id={id} />
        ))}
      </Stack>
    </Card>
  )
}
