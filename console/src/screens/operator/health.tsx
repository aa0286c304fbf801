import { Anchor, Badge, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { dataOf } from '../../api/problem.ts'
import { Card, Loaded } from '../../components/page.tsx'
import { When } from '../../components/values.tsx'
import { formatNumber } from '../../format.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { operatorTexts } from './texts.ts'

const REFRESH_MS = 15_000
const COLOURS = { closed: 'yellow', open: 'red', 'half-open': 'orange' } as const

export function Health() {
  return (
    <Stack>
      <Circuits />
      <Queues />
    </Stack>
  )
}

/** The official accounts, of any shop, whose calls the platform failed lately. */
function Circuits() {
  const { health: texts, audit, accounts } = useTexts(operatorTexts)
  const circuits = useQuery({
    queryKey: ['operator', 'circuits'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/manage/v1/circuits')),
  })
  return (
    <Card title={texts.platform}>
      <Loaded query={circuits}>
        {({ data }) =>
          data.length === 0 ? (
            <Text>{texts.healthy}</Text>
          ) : (
            <Table.ScrollContainer minWidth={640}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{audit.shop}</Table.Th>
                    <Table.Th>{accounts.name}</Table.Th>
                    <Table.Th>{texts.endpoint}</Table.Th>
                    <Table.Th>{texts.state}</Table.Th>
                    <Table.Th>{texts.retryAt}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.map((circuit) => (
                    <Table.Tr key={`${circuit.accountId} ${circuit.endpoint}`}>
                      <Table.Td>
                        <Anchor component={Link} to={`/operator/shops/${circuit.shopId}`} size="sm">
                          {circuit.shopName}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>{circuit.accountName}</Table.Td>
                      <Table.Td>{circuit.endpoint}</Table.Td>
                      <Table.Td>
                        <Badge variant="light" color={COLOURS[circuit.state]} autoContrast>
                          {texts.states[circuit.state]}
                        </Badge>
                      </Table.Td>
                      <Table.Td>
                        <When at={circuit.retryAt} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </Card>
  )
}

function Queues() {
  const { health: texts } = useTexts(operatorTexts)
  const { language } = useLanguage()
  const queues = useQuery({
    queryKey: ['operator', 'queues'],
    refetchInterval: REFRESH_MS,
    queryFn: () => dataOf(api.GET('/api/manage/v1/queues')),
  })
  const names: Record<string, string> = texts.names
  return (
    <Card title={texts.queues}>
      <Loaded query={queues}>
        {({ data }) => (
          <Table.ScrollContainer minWidth={560}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.queue}</Table.Th>
                  <Table.Th ta="right">{texts.waiting}</Table.Th>
                  <Table.Th ta="right">{texts.active}</Table.Th>
                  <Table.Th ta="right">{texts.failed}</Table.Th>
                  <Table.Th>{texts.countedAt}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.map((queue) => (
                  <Table.Tr key={queue.name}>
                    <Table.Td>{names[queue.name] ?? queue.name}</Table.Td>
                    <Table.Td className="num">{formatNumber(queue.waiting, language)}</Table.Td>
                    <Table.Td className="num">{formatNumber(queue.active, language)}</Table.Td>
                    <Table.Td className="num">
                      <Text span inherit c={queue.failed > 0 ? 'red' : undefined}>
                        {formatNumber(queue.failed, language)}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <When at={queue.countedAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </Card>
  )
}
