import { drawMarket, drawQuestion } from './support/markets.js'
for (let s=1;s<=3000;s++){ const d=drawMarket(s); 
 for (const e of d.market.excluded) {const p:any=d.document.pairs.find(p=>p.address===e.address)
 if(JSON.stringify(p).length<1800) console.log(s,e.reason, JSON.stringify(p),'\n')}
}
