import '@mantine/tiptap/styles.css'
import { Link, RichTextEditor } from '@mantine/tiptap'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { newsTexts } from '../../screens/news/texts.ts'
import { useSession } from '../../shell/session.tsx'
import { useTexts } from '../../texts/language.tsx'

/** HTML in, HTML out; only elements of the editor's schema are accepted, and links may lead only to web addresses. */
export function RichText({ value, onChange }: { value: string; onChange: (html: string) => void }) {
  const { content, tools } = useTexts(newsTexts)
  const { canWrite } = useSession()
  const editor = useEditor({
    extensions: [StarterKit.configure({ link: false }), Link.configure({ openOnClick: false })],
    content: value,
    editable: canWrite,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': content },
    },
    onUpdate: ({ editor }) => onChange(editor.isEmpty ? '' : editor.getHTML()),
  })
  return (
    <RichTextEditor
      editor={editor}
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
        <RichTextEditor.Toolbar sticky stickyOffset={56}>
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
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
      )}
      <RichTextEditor.Content mih={240} />
    </RichTextEditor>
  )
}
