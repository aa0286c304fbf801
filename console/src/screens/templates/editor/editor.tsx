import { Button, Fieldset, Grid, Stack } from '@mantine/core'
import { useDeferredValue, useState } from 'react'
import type { OfficialAccount } from '../../../api/rows.ts'
import { FormActions } from '../../../components/forms/form-actions.tsx'
import { useKeptForm } from '../../../components/forms/kept-form.ts'
import { Page, ProblemNote } from '../../../components/page.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { FromGallery } from '../gallery/from-gallery.tsx'
import { WritingPhone } from '../phone.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { StatusNote } from '../status-note.tsx'
import { TemplateActions } from '../template-actions.tsx'
import { templateTexts } from '../texts.ts'
import { TemplateTimeline } from '../timeline.tsx'
import type { Unfinished } from '../unfinished/unfinished.ts'
import { Blocks } from './blocks.tsx'
import { EditorProvider } from './context.tsx'
import { bodyOf, type Draft, type Template, usedKeys } from './draft.ts'
import { BasicsFields } from './fields/basics-fields.tsx'
import { ButtonFields } from './fields/button-fields.tsx'
import { HeaderFields } from './fields/header-fields.tsx'
import { ParamFields } from './fields/param-fields.tsx'
import { ProblemList } from './problem-list.tsx'
import { editorTexts } from './texts.ts'
import { FORM } from './use-draft-edit.ts'
import { useProblems } from './use-problems.ts'
import { useWriting } from './use-writing.ts'

/**
 * A template's form beside a preview of the message. `template` is undefined until it exists; it may be stored as
 * `unfinished`.
 */
export function TemplateEditor(props: {
  template: Template | undefined
  unfinished?: Unfinished
  initial: Draft
  accounts: OfficialAccount[]
}) {
  const { template, unfinished, initial, accounts } = props
  const words = useTexts(templateTexts)
  const form = useKeptForm<Draft>(FORM, initial)
  const [isStrict, setStrict] = useState(template !== undefined)
  const body = bodyOf(form.values)
  const problems = useProblems(body, usedKeys(form.values), isStrict)
  const { save, publish } = useWriting(template, unfinished, form)
  // The preview and the first fields are on the screen before the rest is drawn.
  const isWhole = useDeferredValue(true, false)
  const error = save.error ?? publish.error

  return (
    <Page
      title={template?.name ?? (unfinished?.name || words.newTitle)}
      subtitle={template !== undefined && <StatusBadge status={template.status} />}
      actions={
        template === undefined ? (
          <FromGallery draft={form.values} put={(draft) => form.put(draft, false)} />
        ) : (
          <TemplateActions template={template} />
        )
      }
    >
      {template !== undefined && <StatusNote template={template} />}
      <EditorProvider value={{ form, problems }}>
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <form
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                setStrict(true)
                publish.reset()
                save.mutate(form.values)
              }}
            >
              {/* What is typed while it is submitted could not be saved: nothing of it changes during its review. */}
              <Fieldset variant="unstyled" m={0} miw={0} disabled={publish.isPending}>
                <Stack>
                  <BasicsFields accounts={accounts} />
                  <HeaderFields />
                  {isWhole && (
                    <>
                      <Blocks />
                      <ButtonFields />
                      <ParamFields />
                      {error !== null && <ProblemNote error={error} />}
                      <Buttons
                        template={template}
                        isSaving={save.isPending}
                        isPublishing={publish.isPending}
                        onPublish={() => {
                          setStrict(true)
                          save.reset()
                          publish.mutate(form.values)
                        }}
                      />
                    </>
                  )}
                </Stack>
              </Fieldset>
            </form>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Stack pos={{ lg: 'sticky' }} top={{ lg: 72 }}>
              <WritingPhone shown={body} />
              <ProblemList problems={problems} />
              {template !== undefined && <TemplateTimeline id={template._id} status={template.status} />}
            </Stack>
          </Grid.Col>
        </Grid>
      </EditorProvider>
    </Page>
  )
}

function Buttons(props: {
  template: Template | undefined
  isSaving: boolean
  isPublishing: boolean
  onPublish: () => void
}) {
  const texts = useTexts(editorTexts)
  const words = useTexts(templateTexts)
  const { template, isSaving, isPublishing, onPublish } = props
  return (
    <FormActions>
      <Button type="submit" variant="default" loading={isSaving} disabled={isPublishing}>
        {template === undefined ? texts.save : texts.saveChange}
      </Button>
      <Button onClick={onPublish} loading={isPublishing} disabled={isSaving}>
        {template?.status === 'REJECTED' ? words.resubmit : texts.publish}
      </Button>
    </FormActions>
  )
}
