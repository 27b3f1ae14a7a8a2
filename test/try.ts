import { decodeSnapshot } from '../src/snapshot/decode.js'
import { demoSnapshot } from '../src/demo/market/snapshot.js'
import { graphOf } from '../src/routing/graph.js'
import { rankPaths } from '../src/routing/ranked.js'
import { bestPath } from '../src/routing/best-walk.js'
import { queryOf } from '../src/routing/query.js'
import { inputFor, largestBelow } from '../src/routing/size.js'
import { minReturnOf } from '../src/routing/route.js'
import { pricesOf } from '../src/market/valuation.js'
import { seededRandom } from '../src/demo/market/random.js'
const m=decodeSnapshot(demoSnapshot(1),'demo'); const g=graphOf(m); const r=seededRandom('x')
const price=pricesOf(m)

let n=0,ins=0,larg=0,falls=0
for(let i=0;i<150;i++){ const from=g.denoms[r()%g.denoms.length]!, to=g.denoms[r()%g.denoms.length]!; if(from===to) continue
 const query=queryOf(g,from,to,{maxHops:4,via:[],exclude:[],affiliate:undefined})
 let x=1000n; let prev:[bigint,bigint]|undefined; 
 while(x<10n**20n){ const b=bestPath(query,x); if(prev && (!b|| b.output<prev[1]) ){ if(b) falls++; 
   const w=minReturnOf(prev[1],50); const f=inputFor(query,w,50); n++
   if(!('input' in f)){ins++; if(ins<6) console.log('INSUFF',from,to,'x',prev[0],'pays',prev[1],'; largest',f.largest)}
   else if(f.input>prev[0]){larg++; if(larg<6) console.log('LARGER',from,to,'x',prev[0],'found',f.input)} }
  if(!b) {if(x>1000n) break; } else prev=[x,b.output]; x=x*21n/20n }
}
console.log({n,ins,larg,falls})
