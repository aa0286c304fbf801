import { Text } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/rows.ts'
import { Card } from '../../components/page.tsx'
import { useTexts } from '../../texts/language.tsx'
import classes from './overview.module.css'
import { overviewTexts } from './texts.ts'

type Step = keyof typeof overviewTexts.vi.steps

/** Where each step is done, in the order in which a new shop does them. */
const PLACES: [Step, string][] = [
  ['products', '/products/new'],
  ['stock', '/goods-received/new'],
  ['account', '/settings?tab=accounts'],
  ['template', '/templates/new'],
  ['money', '/wallet'],
  ['sale', '/pos'],
]

/**
 * The first steps of a new shop, each with its reason and act. Each is ticked when it was done, and the card disappears
 * after the last.
 */
export function FirstSteps({ steps }: { steps: Overview['firstSteps'] }) {
  const texts = useTexts(overviewTexts)
  const done = PLACES.filter(([step]) => steps[step]).length
  if (done === PLACES.length) return null
  return (
    <Card title={texts.firstSteps} actions={<Text c="dimmed">{texts.doneOf(done, PLACES.length)}</Text>}>
      <ol className={classes.todo}>
        {PLACES.map(([step, to]) => (
          <li key={step}>
            {steps[step] ? (
              <div className={classes.done}>
                <IconCircleCheck size={18} color="var(--jade)" aria-label={texts.done} />
                <span>{texts.steps[step].name}</span>
              </div>
            ) : (
              <Link to={to}>
                <IconCircle size={18} className={classes.calm} aria-hidden />
                <span className={classes.what}>
                  {texts.steps[step].name}
                  <small>{texts.steps[step].why}</small>
                </span>
                <b className={classes.open}>{texts.steps[step].act}</b>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
