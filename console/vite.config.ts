import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // The first that know light-dark(): what it is rewritten to for older ones does not see Mantine's colour scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    // What every screen needs is one file: it compresses better than in 23, and takes one request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'] }] } } },
  },
  // `npm run dev -w console`: the pages from here, everything else from a running service.
  server: { proxy: { '/api': SERVICE, '/images': SERVICE } },
})
