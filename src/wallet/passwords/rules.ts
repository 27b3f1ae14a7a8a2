import { invalidRequest } from '../../engine/errors.js'

/** Fewest characters of a new password, and most bytes. */
const LEAST = 12
export const MOST = 1024

/**
 * Why a password is too weak for a new key file; `undefined` if it is not. Characters are counted in NFKC. The text
 * contains nothing of the password.
 */
export function weakness(password: Uint8Array): string | undefined {
  if (password.length > MOST) return `it is longer than ${MOST} bytes`
  const text = Buffer.from(password).toString('utf8').normalize('NFKC')
  // Reading a password from a file drops a line break at the end.
  if (/\p{Cc}/u.test(text)) return 'it has a line break or another control character'
  if ([...text].length < LEAST) return `it has fewer than ${LEAST} characters`
  if (isCommon(text))
    return 'it is made of few common words or keyboard rows: add rarer or more words'
  return undefined
}

/** @throws SwapError INVALID_REQUEST */
export function requireStrong(password: Uint8Array): void {
  const why = weakness(password)
  if (why === undefined) return
  throw invalidRequest('this password cannot protect a key', '', {
    why,
    hint: `choose ${LEAST} characters or more that are hard to guess: five random words are good`,
  })
}

/**
 * The words of the most common leaked passwords, in lower case. Hardly any password of twelve and more characters in
 * those lists consists of more than these words, digits, signs and repetitions.
 */
const commonWords: readonly string[] = (
  'aaron abc abcd access account action adam adidas admin administrator adrian africa airborne ' +
  'alabama albert alejandra alejandro alex alexander alexandra alexis alfred alice alicia ' +
  'alison allison alpha always alyssa amanda amazing amber amelia america american amigos amor ' +
  'amore anderson andrea andreas andrei andrew andrey angel angela angelito angels animal ' +
  'animals anime annie anthony antonio apache apollo apple apples april archer archie argentina ' +
  'arizona arnold arsenal arthur arturo asdf ashley ashton asshole athena atlanta atlantis ' +
  'august austin australia autumn avatar avenger awesome azerty azertyuiop babe baby babyboy ' +
  'babydoll babygirl bachelor backspace badass badboy bailey balance ball ballin banana bandit ' +
  'barbara barbie barcelona barney baseball basket basketball batman battery beach beagle bear ' +
  'bears beast beatles beatrice beautiful beauty beaver bella benfica benjamin berlin bernard ' +
  'best beth bigdaddy bigdog billy binance bird birthday bitcoin biteme black blackcat ' +
  'blackjack blade blaster blessed blessing blink blizzard blockchain blonde blood blossom blue ' +
  'bluebird blues bobby bond bonita bonjour bonnie booger boogie boomer boston bowling bradley ' +
  'brandon brandy brasil braves brazil brenda brian bridget britney broncos brooke brooklyn ' +
  'brother bruno brutus bubba bubble bubbles buddy buffalo buffy bulldog bulldogs bullet ' +
  'bullshit bunny burger buster butter butterfly button buttons caesar caitlin california ' +
  'calvin cameron camila camille canada candy canon captain cardano cardinal carlos carmen ' +
  'carol carolina caroline carter cartman casey casper cassie castle catalina catherine cecilia ' +
  'celtic celtics center challenge champion chance chanel change changed changeme charlene ' +
  'charles charlie charlotte cheese cheetah chelsea cherokee cherry chester chevrolet chevy ' +
  'cheyenne chicago chicken chico china chiquita chivas chocolat chocolate chopper chouchou ' +
  'chris chrissy christ christian christina christine christmas christopher ciao cindy citibank ' +
  'claire classic claudia clinton clover cobra cocacola coconut coffee coinbase coldplay ' +
  'college colombia colorado comanche comfort compaq computer connect connor contrasena control ' +
  'cookie cookies cool cooldude cooper copper corazon corinthians correct corvette cosmos ' +
  'coucou cougar country courage courtney cowboy cowboys cracker crazy creative cristian ' +
  'cristina crypto crystal cupcake curtis cutie cynthia daddy dakota dallas dance dancer daniel ' +
  'daniela danielle danny dark darkness darling david dbname deadpool death debbie deborah ' +
  'december default deftones delicious delta demon denise dennis denver desert design desire ' +
  'destiny detroit dexter diablo diamond diamonds diana diego diesel digital dirty discover ' +
  'disney doctor dodger dodgers dogecoin doggie dolphin dolphins domain dominic donald donkey ' +
  'donna dorothy doudou douglas dragon dragonball dragons dream dreamer dreams drowssap drummer ' +
  'eagle eagles earth easter eastside eclipse eddie edgar edison eduardo edward eight einstein ' +
  'elaine eleanor electric elefante element elephant elizabeth ellen elliott emerald emily ' +
  'eminem emmanuel england enigma enrique enter epsilon eric erica ernest esteban estrella ' +
  'estrellita ethereum europe evelyn everton evolution excalibur exchange explorer express ' +
  'fabian facebook faith faithful falcon falcons familia family fantasy fashion father favorite ' +
  'february felipe felix feliz fender fernanda fernando ferrari fiction fidelity finance fire ' +
  'fireball firebird firefox fireman fish fishing fitness five flamengo flamingo flash florence ' +
  'florida flower flowers fluffy football for forest forever formula forsaken fortune four ' +
  'france frances francesca francesco francis francisco frank frankfurt frankie franklin freak ' +
  'freddy frederic freedom freeman freeuser french friday friend friends friendship frosty ' +
  'fuckoff fuckyou fussball futbol future gabriel gabriela gabrielle galaxy gambit gamer games ' +
  'garcia garden garfield garrett gasman gateway gatinha gatito geheim geld gemini general ' +
  'genesis genius george georgia gerald germany getmoney ghost giants gibson giggles gilbert ' +
  'ginger giovanni girl girls giulia gizmo gladiator gloria god goddess godfather godzilla gold ' +
  'golden goldfish goldie golf golfer good goodluck google gordon gorilla grace gracie graham ' +
  'grandma grandpa great green greenday gregory gremlin griffin guardian guess guest guillermo ' +
  'guitar gunner gustavo hacker hahaha hallo halloween hamburg hamilton hammer hannah happiness ' +
  'happy hardcore hardware harley harmony harold harrison harry harvey haslo hawaii hawkeye ' +
  'heart hearts heather heaven hector heineken helen hello hellokitty help helpme henry ' +
  'hercules hermes hermosa hernandez hockey hodl hola holiday hollister holly hollywood homer ' +
  'honda honey honeybee horse horses hotdog hotmail hotrod hottie houston howard hulk hunter ' +
  'hunting hurricane hyundai i icecream iceman identity iguana illinois iloveme iloveyou ' +
  'imagine immortal impala imperial inferno infinity ingrid inside internet invalid ireland ' +
  'irene irish ironman is isabel isabella isabelle island israel italia italy jack jackass ' +
  'jackie jackson jacob jaguar jamaica james jamie january japan jasmin jasmine jason jasper ' +
  'javier jeffrey jennifer jenny jeremiah jeremy jerome jersey jerusalem jessica jessie jester ' +
  'jesus jesuschrist jetaime jewels jimmy joanna joanne joel john johnny johnson jonathan ' +
  'jordan jorge joseph joshua journey juan judith julia julian juliana julie juliet juliette ' +
  'julius july june junior jupiter just justdoit justice justin justme juventus kaitlyn ' +
  'kangaroo karate karen karina kate katherine kathleen kathryn katie katrina kawasaki kayla ' +
  'keith kelly kelsey kenneth kenny kermit kevin key killer killers kimberly king kingdom kings ' +
  'kisses kissme kitten kittens kitty klaster knight knights kocham kristen kristin kristina ' +
  'laguna lakers lakeside lalala lancer larissa lasvegas laura lauren laurence lawrence leather ' +
  'lebron ledger legend legolas leonard leonardo leslie letmein letmeinnow letters liberty ' +
  'library liebe lifehack light lightning lillian lincoln linda lindsay lindsey linkin ' +
  'linkinpark lion lionel lionheart lions litecoin little liverpool lizard logan login logitech ' +
  'lollipop lollypop london longhorn looking lorena lorenzo lorraine loser louise loulou love ' +
  'loveable loveis loveless lovelife lovely loveme lover loverboy lovers loves loveyou lubov ' +
  'lucas lucia lucifer lucky lucy luis lumber machine macintosh madison madonna madrid maggie ' +
  'magic magical magnolia magnum mailbox malcolm mama manager manchester mandy manman manuel ' +
  'marcel marcela marcus margaret margarita maria mariah mariana marie marijuana marina marine ' +
  'mariners marines mario marion mariposa marissa marjorie mark marlboro marlene marley ' +
  'marseille marshall martha martin martina martinez marvin master matrix matthew maurice ' +
  'maverick maxwell mayday me meatloaf medicine megan melanie melissa member memories memphis ' +
  'mercedes mercury meredith merlin messi metal metallica metamask mexico miami michael michel ' +
  'michelle michigan mickey microlab microsoft midnight miguel mike million minecraft mining ' +
  'minnie miracle miranda misiek mistress mitchell mobile molly mommy monday monero money ' +
  'monica monika monique monkey monkeys monster montana moonlight morgan morning moscow ' +
  'motdepasse mother motocross motorola mountain mouse movies muenchen muffin murphy music ' +
  'musica mustang my mylove mypass mypassword myself myspace nadine nakamoto nancy napoleon ' +
  'napoli naruto nascar nastya natalia natalie natasha nathalie nathan nathaniel national ' +
  'naughty nelson nepenthe neptune network nevada never newcastle newlife newpass newport ' +
  'newyork nicholas nicolas nicole night nightmare nikita nine nintendo nirvana nissan nobody ' +
  'nokia nomore norman nothing nounours november number nursing obama oblivion ocean october ' +
  'offline oksana oldman oliver olivia online operator ophelia orange oranges orlando oscar ' +
  'outlaw overlord oxford pacific packers paladin palmeiras pamela pancho panda pandora pantera ' +
  'panther panthers papa papillon paradise paramore paris parker parol parola parool party pass ' +
  'passcode passion passphrase passport passw passwd password passwort patches patience ' +
  'patricia patrick patriots paulina peace peaches peanut peanuts pebbles peekaboo penguin ' +
  'penguins pennywise people pepper peppers pepsi perfect perrito perros peter phantom philip ' +
  'phillies phillip phoenix photos pickle picture pierre pikachu pineapple pink pinkfloyd ' +
  'pirate pirates pizza platinum player please pokemon polaris police polina pollito polska ' +
  'poohbear pookie poopoo popcorn popeye popopo porsche portugal power powerful precious ' +
  'predator premium preston pretty prince princesa princesita princess printer private privet ' +
  'problem professional prometheus promise property psycho pumpkin punisher puppies puppy ' +
  'purple pyramid qazwsx qazwsxedc quality queen queenie qweasd qweasdzxc qwer qwert qwerty ' +
  'qwertyu qwertyuiop rabbit rachael rachel racing raiders rainbow raistlin ramirez rammstein ' +
  'random ranger rangers raphael raptor rascal raven ravens raymond rebecca rebel redbull ' +
  'reddevil reddog redhead redrum redsox redwings reggie remember renegade requiem resident ' +
  'revolution rhapsody ricardo richard richmond ripple robbie robert roberta roberto robinson ' +
  'rock rocket rockets rocknroll rockstar rocky rodrigo rodriguez roger roland roman romance ' +
  'romeo ronald ronaldinho ronaldo rosario rosebud rosemary royal rujira runescape running rush ' +
  'russell russia sabrina sahara saints sakura salasana salvador samantha samsung samuel ' +
  'sanchez sandra sandwich sandy santiago sarah satoshi saturday saturn saudade savannah ' +
  'scarface scarlet schalke schatz school science scooby scooter scorpio scorpion scotland ' +
  'scott scruffy sebastian secret secrets secure security semperfi senha senior september ' +
  'serena serenity sergey sergio service seven sex shadow shadows shannon sharon shelby shelly ' +
  'shepherd sherlock sherry shirley shopping shorty siemens sierra silver silvia simon simone ' +
  'simple simpson simpsons singer single sister skate skateboard skater skeeter skipper skippy ' +
  'skittles skywalker slayer slipknot smile smiley smith smokey smooth smoothie snicker ' +
  'snickers sniper snoopy snowball snowboard snowflake snowman soccer socrates softball solana ' +
  'soldier soleil solomon something sommer sonic sonnenschein sophia sophie soulmate southside ' +
  'spain spanky sparkle sparky spartan spartans special speedy spencer spider spiderman ' +
  'spiderpig spirit spongebob spooky sporting sports spring springs squirrel srinivas stalker ' +
  'stanford stanley staple star starbucks stardust starfish stargate starlight stars start ' +
  'startrek starwars stealth steelers stefan stella stephanie stephen steve steven stewart ' +
  'sticky stinky stone storm stranger strawberry streaming strength strong student stupid sugar ' +
  'summer sunday sunflower sunny sunrise sunset sunshine super superman supernatural superstar ' +
  'support surfer surfing suzanne swallow swap sweet sweetheart sweetie sweetness sweetpea ' +
  'swimming swordfish sydney sylvia symphony system talisman tamara tango tanner tarheels ' +
  'tatiana taurus taylor teacher teamo teddy teddybear temp temppass tennis tequiero tequila ' +
  'teresa terminal terminator test tester testing testpass testtest texas thailand that the ' +
  'theman theresa therock thirteen this thomas thorchain three thumper thunder thursday tiffany ' +
  'tiger tigers tigger timothy tinker tinkerbell titanic titans tommy toronto tottenham toyota ' +
  'tractor trading transformer travel travis treasure trezor triangle trigger trinity triumph ' +
  'trouble trucks truelove trust trustme trustno trustnoone tuesday turtle tweety twilight ' +
  'twister twitter ultimate underground undertaker unicorn united universal universe unknown ' +
  'username vacation valencia valentina valentine valentino valeria valerie vampire vanessa ' +
  'vanilla vegeta velocity venice venus vermont veronica victor victoria victory vienna viking ' +
  'vikings vincent violet violin viper virginia virus vision visitor vivian volcano volcom ' +
  'voldemort volkswagen volleyball voodoo voyager wachtwoord wallet walter warcraft warlock ' +
  'warning warrior warriors washington water waterfall waterloo watermelon wealth webmaster ' +
  'wednesday welcome welkom wendy werewolf western westham westlife westside whatever whatsup ' +
  'whiskey white wicked wildcat wildcats wilfred william williams willie willow wilson windows ' +
  'winner winnie winston winter wisdom wizard wolf wolverine wolves woman wonder wonderful ' +
  'woofwoof wordpass world worldcup wrangler wrestling wrinkles writer xavier xbox xxxxxx yahoo ' +
  'yamaha yankee yankees yellow yesterday yoda yogibear yolanda you youandme yousuck yugioh ' +
  'yvonne zachary zaqwsx zebra zeppelin zero zeus zidane zombie zombies zxcv zxcvb zxcvbn ' +
  'zxcvbnm'
).split(' ')

/** Keyboard rows and counting, in either direction. */
const WALKS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  '!@#$%^&*()_+',
].flatMap((row) => [row, [...row].reverse().join('')])

/** Signs and digits used in place of letters. */
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Fewest letters that have to remain after common parts are removed. */
const ENOUGH = 6

/**
 * Number of different words from which a phrase is not common, even of common words only: five random words of the
 * list are one of 6e15 combinations.
 */
const PHRASE = 5

/**
 * Whether a password consists of common words, keyboard walks and repetitions, with digits and signs between them.
 */
export function isCommon(password: string): boolean {
  // Accents are decoration as well.
  const plain = password.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (phraseOf(plain).size >= PHRASE) return false
  const bare = [...plain].map((char) => DISGUISES[char] ?? char).join('')
  return remains(plain) < ENOUGH || remains(bare) < ENOUGH || period(plain) <= 4
}

/** The words of four letters and more between other characters, without walks. */
const phraseOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(/[^\p{L}]+/u).filter((word) => withoutWalks(word).length >= 4))

/** Letters that remain without walks, words and repetitions; a digit or a sign counts half. */
function remains(text: string): number {
  const rest = withoutWalks(text)
    .replace(/([^\p{L}])\1+/gu, '$1')
    .replace(/(.)\1{2,}/gu, '$1')
  const parts = rest.split(/[^\p{L}]/u)
  const letters = parts.reduce((sum, part) => sum + fewest(part), 0)
  return letters + (parts.length - 1) / 2
}

/** Removes every run of four and more characters that lies on a walk. */
function withoutWalks(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const length = Math.max(...WALKS.map((walk) => stretch(text, at, walk)))
    if (length < 4) rest += text[at]
    at += length < 4 ? 1 : length
  }
  return rest
}

function stretch(text: string, from: number, walk: string): number {
  let length = 0
  while (from + length < text.length && walk.includes(text.slice(from, from + length + 1)))
    length += 1
  return length
}

/** Fewest letters that remain after known words are removed. */
function fewest(part: string): number {
  const left: number[] = [0]
  for (let end = 1; end <= part.length; end++) {
    const uses = commonWords
      .filter((word) => part.endsWith(word, end))
      .map((word) => left[end - word.length] ?? 0)
    left[end] = Math.min((left[end - 1] ?? 0) + 1, ...uses)
  }
  return left[part.length] ?? 0
}

/** Length of the shortest text whose repetition is the whole text. */
function period(text: string): number {
  for (let length = 1; length < text.length; length++)
    if (text.startsWith(text.slice(length)) && text.length >= 2 * length) return length
  return text.length
}
