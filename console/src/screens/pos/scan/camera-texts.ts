import { catalogue } from '../../../texts/catalogue.ts'

/** Loaded with the camera, after the counter. */
export const cameraTexts = catalogue(
  {
    cameraHint: 'Đưa mã vạch vào khung hình.',
    noCamera: 'Không mở được máy ảnh. Hãy cho phép trang này dùng máy ảnh rồi thử lại.',
    seen: (code: string) => `Đã quét ${code}`,
  },
  {
    cameraHint: 'Hold a barcode in front of the camera.',
    noCamera: 'The camera could not be opened. Allow this page to use it, then try again.',
    seen: (code: string) => `Scanned ${code}`,
  },
)
