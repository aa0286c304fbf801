import { catalogue } from '../../../texts/catalogue.ts'

export const bulkTexts = catalogue(
  {
    selected: (count: string) => `Đã chọn ${count}`,
    most: (count: string) => `Mỗi lần chọn được nhiều nhất ${count} dòng.`,
    select: (name: string) => `Chọn ${name}`,
    page: 'Chọn cả trang',
    clear: 'Bỏ chọn',
    actions: 'Thao tác với các dòng đã chọn',
    exportSelected: 'Xuất CSV đã chọn',
    progress: (ended: string, all: string) => `${ended} / ${all}`,
    stop: 'Dừng lại',
    stopping: 'Đang dừng…',
    done: (count: string) => `Xong ${count} dòng`,
    undo: 'Hoàn tác',
    undoing: (title: string) => `Hoàn tác: ${title}`,
    refused: (count: string) => `${count} dòng không thực hiện được`,
    left: (count: string) => `${count} dòng chưa thực hiện, vẫn đang được chọn`,
    unsure: 'Chưa rõ đã ghi hay chưa: máy chủ không trả lời',
  },
  {
    selected: (count: string) => `${count} selected`,
    most: (count: string) => `Up to ${count} rows can be selected at a time.`,
    select: (name: string) => `Select ${name}`,
    page: 'Select all on page',
    clear: 'Clear selection',
    actions: 'Actions on the selected rows',
    exportSelected: 'Export selected',
    progress: (ended: string, all: string) => `${ended} / ${all}`,
    stop: 'Stop',
    stopping: 'Stopping…',
    done: (count: string) => (count === '1' ? '1 row done' : `${count} rows done`),
    undo: 'Undo',
    undoing: (title: string) => `Undo: ${title}`,
    refused: (count: string) => (count === '1' ? '1 row was not changed' : `${count} rows were not changed`),
    left: (count: string) =>
      count === '1'
        ? '1 row was not started and is still selected'
        : `${count} rows were not started and are still selected`,
    unsure: 'It is not known whether this was recorded: the service did not respond',
  },
)
