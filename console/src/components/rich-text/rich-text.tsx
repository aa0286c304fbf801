import '@mantine/tiptap/styles.css'
import { Link, RichTextEditor } from '@mantine/tiptap'
import { type Editor, useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'
import { asHtml } from './html-values.ts'
import { ImageNode } from './image-node.ts'
import { ImageTool, imagesIn, useTextImages } from './image-tool.tsx'
import classes from './rich-text.module.css'
import { richTexts } from './texts.ts'

/** Where the caret starts: at a point of the window or at the end of the text; undefined if the editor has not been used yet. */
export type Start = { left: number; top: number } | 'end' | undefined
export type RichTextProps = {
  label: string
  value: string
  minHeightPx: number
  isRefused: boolean
  start: Start
  onChange: (html: string) => void
}

/** HTML in, HTML out; only elements of the editor's schema are accepted, and links may lead only to web addresses. */
export function RichText(props: RichTextProps) {
  const { label, value, isRefused, start, onChange } = props
  const { tools } = useTexts(richTexts)
  const { canWrite } = useSession()
  const images = useTextImages()
  const written = useRef(value)
  const report = useRef(onChange)
  report.current = onChange
  const take = (data: DataTransfer | null, at?: number) => {
    const files = imagesIn(data)
    if (files.length > 0) images.mutate({ editor, files, at })
    return files.length > 0
  }
  const taking = useRef(take)
  taking.current = take
  // The same objects in every render: otherwise the editor takes them as new options, and updates its view, with every key.
  const [options] = useState(() => ({
    extensions: [StarterKit.configure({ link: false }), Link.configure({ openOnClick: false }), ImageNode],
    content: asHtml(value),
    editable: canWrite,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true' },
      handlePaste: (_: unknown, event: ClipboardEvent) => taking.current(event.clipboardData),
      handleDrop: (view: Editor['view'], event: DragEvent) =>
        taking.current(
          event.dataTransfer,
          view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos,
        ),
    },
  }))
  const editor = useEditor({
    ...options,
    onUpdate: ({ editor }) => {
      written.current = editor.isEmpty ? '' : editor.getHTML()
      report.current(written.current)
    },
  })
  useEffect(() => {
    const { dom } = editor.view
    dom.setAttribute('aria-label', label)
    dom.setAttribute('aria-invalid', String(isRefused))
  }, [editor, label, isRefused])
  // The value was set from elsewhere, for example from the saved record. In the commit of the value: later, more may have been typed.
  useLayoutEffect(() => {
    if (value === written.current) return
    written.current = value
    editor.commands.setContent(asHtml(value), { emitUpdate: false })
  }, [editor, value])
  const takePlace = useEffectEvent(() => {
    if (start === undefined) return
    editor.commands.focus(start === 'end' ? 'end' : (editor.view.posAtCoords(start)?.pos ?? 'end'))
  })
  useEffect(() => takePlace(), [])
  return (
    <RichTextEditor
      editor={editor}
      // This button, which chooses where a link opens, has no accessible name, and shops do not need the choice.
      styles={{ linkEditorExternalControl: { display: 'none' } }}
      labels={{
        boldControlLabel: tools.bold,
        italicControlLabel: tools.italic,
        underlineControlLabel: tools.underline,
        strikeControlLabel: tools.strike,
        clearFormattingControlLabel: tools.clear,
        h2ControlLabel: tools.h2,
        h3ControlLabel: tools.h3,
        blockquoteControlLabel: tools.quote,
        bulletListControlLabel: tools.bullets,
        orderedListControlLabel: tools.numbers,
        linkControlLabel: tools.link,
        unlinkControlLabel: tools.unlink,
        linkEditorInputLabel: tools.linkAddress,
        linkEditorSave: tools.save,
        undoControlLabel: tools.undo,
        redoControlLabel: tools.redo,
      }}
    >
      {canWrite && (
        <RichTextEditor.Toolbar sticky stickyOffset="var(--header-height)">
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.Underline />
            <RichTextEditor.Strikethrough />
            <RichTextEditor.ClearFormatting />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.H3 />
            <RichTextEditor.Blockquote />
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Link />
            <RichTextEditor.Unlink />
            <ImageTool
              isBusy={images.isPending}
              onFiles={(files) => files.length > 0 && images.mutate({ editor, files })}
            />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
      )}
      <RichTextEditor.Content className={classes.text} mih={props.minHeightPx} />
    </RichTextEditor>
  )
}
