#!/usr/bin/env node
import { createRequire } from 'node:module'

const { run } = createRequire(import.meta.url)('../dist/main.cjs')
await run()
