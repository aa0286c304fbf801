import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: { target: 'es2023', chunkSizeWarningLimit: 700, reportCompressedSize: false },
  // `npm run dev -w console`: the pages from here, everything else from a running service.
  server: { proxy: { '/api': SERVICE, '/images': SERVICE } },
})
