import { drawMarket, drawQuestion, between, seeds } from './support/markets.js'
import { rankPaths } from '../src/routing/ranked.js'
import { queryOf } from '../src/routing/query.js'
import { inputFor } from '../src/routing/size.js'
import { minReturnOf } from '../src/routing/route.js'
let n=0, miss=0, large=0, wrongLess=0; let t=0; let shown=0; const sizes:number[]=[]
const LIMIT=1500
for (let s=1;s<=150;s++){ const d=drawMarket(s,{size:s%2?'tiny':'small'});
 const q=drawQuestion(d); if(q.limits.via.length||q.affiliate==='most') continue
 const query=queryOf(d.graph,q.input.denom,q.output,q.limits)
 const out:bigint[]=[0n]; for(let x=1n;x<=BigInt(LIMIT);x++) out.push(rankPaths(query,x,1).found[0]?.output??0n)
 const distinct=[...new Set(out.filter(o=>o>0n))].sort((a,b)=>a<b?-1:1)
 if(!distinct.length) continue
 const bps=[0,0,50,300][between(d.random,0,3)]!
 for(let k=0;k<25;k++){ const w=minReturnOf(distinct[between(d.random,0,distinct.length-1)]!,bps)+BigInt(between(d.random,-1,0)); if(w<=0n) continue
  const smallest=out.findIndex(o=>o>0n&&minReturnOf(o,bps)>=w); if(smallest<0) continue
  n++; const t0=performance.now(); const f=inputFor(query,w,bps); t+=performance.now()-t0
  if('input' in f){ if(f.input>BigInt(smallest)) {miss++; sizes.push(Number(f.input)/smallest)} else if(f.input<BigInt(smallest)) wrongLess++ }
  else { large++ ; if(shown++<5) console.log('INSUFF seed',s,q.input.denom,q.output,q.limits.maxHops,'wanted',w,bps,'smallest',smallest,'largest',f.largest)}
 }}
console.log({n,miss,large,wrongLess,ms:t/n}); sizes.sort((a,b)=>a-b); console.log(sizes[0],sizes[sizes.length>>1],sizes.at(-1))
