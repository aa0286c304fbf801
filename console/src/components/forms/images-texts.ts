import { catalogue } from '../../texts/catalogue.ts'

export const imagesTexts = catalogue(
  {
    drop: 'Kéo ảnh vào đây hoặc bấm để chọn',
    dropHint: 'PNG, JPEG hoặc WebP, tối đa 10 MB mỗi ảnh',
    imageAddress: 'Địa chỉ ảnh',
    addAddress: 'Thêm địa chỉ',
    noAddress: 'Hãy nhập địa chỉ của ảnh, bắt đầu bằng https://.',
    image: (position: number) => `Ảnh ${position}`,
    removeImage: (position: number) => `Bỏ ảnh ${position}`,
    moveImage: (position: number) => `Đổi chỗ ảnh ${position}`,
    notAnImage: (names: string) =>
      `Không nhận: ${names}. Chỉ nhận ảnh PNG, JPEG hoặc WebP, tối đa 10 MB; các ảnh khác đã được nhận.`,
    uploading: (done: number, all: number) => `Đang tải lên ${done}/${all}`,
  },
  {
    drop: 'Drop images here, or click to choose',
    dropHint: 'PNG, JPEG or WebP, at most 10 MB each',
    imageAddress: 'Image address',
    addAddress: 'Add address',
    noAddress: 'Enter an image address that begins with https://.',
    image: (position: number) => `Image ${position}`,
    removeImage: (position: number) => `Remove image ${position}`,
    moveImage: (position: number) => `Move image ${position}`,
    notAnImage: (names: string) =>
      `Not accepted: ${names}. Only PNG, JPEG or WebP of at most 10 MB; the others were accepted.`,
    uploading: (done: number, all: number) => `Uploading ${done} of ${all}`,
  },
)
