import type { Body, Reference } from './reference.ts'

/** The ids that queries and bodies of templates and messages accept, by operation and place. */
export const MESSAGE_REFERENCES: Record<string, Reference> = {
  'POST /api/external/notify-template/create body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
    isSilent: true,
  },
  'POST /api/external/notify-template/lint body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
  },
  'PATCH /api/external/notify-template/{id} body:oaId': {
    records: ['officialAccount'],
    status: 200,
    body: (oaId) => newTemplate(oaId),
    isSilent: true,
  },
  'GET /api/external/notify-template query:oaId': {
    records: ['officialAccount'],
    status: 200,
    query: (id) => `oaId=${id}`,
  },
  'POST /api/external/notify-message/send body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, receiverPhone: '0912345678', params: {} }),
  },
  'POST /api/external/chatapp/uid-notify/send-message body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, userUID: 'u1', templateData: {} }),
  },
  'POST /api/external/notify-message/batches body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, messages: [{ receiverPhone: '0912345678', params: {} }] }),
  },
  'POST /api/external/notify-message/batches/preview body:templateId': {
    records: ['template', 'approvedTemplate', 'platformNumber'],
    status: 404,
    body: (templateId) => ({ templateId, messages: [{ receiverPhone: '0912345678', params: {} }] }),
  },
  ...Object.fromEntries(
    ['', '/preview'].flatMap((path): [string, Reference][] => {
      const operation = `POST /api/external/notify-message/batches/to-audience${path}`
      return [
        [
          `${operation} body:templateId`,
          {
            records: ['template', 'approvedTemplate', 'platformNumber'],
            status: 404,
            body: (templateId, own) => ({ templateId, audienceId: own.audience }),
          },
        ],
        [
          `${operation} body:audienceId`,
          {
            records: ['audience'],
            status: 404,
            body: (audienceId, own) => ({ templateId: own.approvedTemplate, audienceId }),
          },
        ],
        // A place to continue after, not a record.
        [
          `${operation} body:after`,
          {
            records: ['customer'],
            status: path === '' ? 202 : 200,
            body: (after, own) => ({ templateId: own.approvedTemplate, audienceId: own.audience, after }),
            isSilent: true,
          },
        ],
      ]
    }),
  ),
}

function newTemplate(oaId: string): Body {
  return {
    oaId,
    name: 'Mẫu',
    title: 'Mẫu',
    tag: '1',
    templateType: 'custom',
    imageType: 'logo',
    contentBlocks: [],
    buttons: [],
    params: [],
    isCustomParams: true,
  }
}
