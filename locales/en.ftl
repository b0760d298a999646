## The languages and varieties

language-tibetan = Tibetan
language-chinese = Chinese
utsang = Ü-Tsang
khampa = Khampa
amdo = Amdo
chinese = Chinese
voice-xiaoxiao = Xiaoxiao (woman)
voice-yunjian = Yunjian (man)

## First words

start =
    Tashi delek! I am Lotsawa: I translate between Tibetan and Chinese.

    📷 Send a photo: I read the text in it.
    💬 Send a text: I translate it.
    🔊 The buttons under my answers speak them, in three dialects.

    It is free for you. /help shows the rest.
button-try-photo = 📷 Try a photo
help =
    📷 Photos
    Send one: I read it. Captioned “Chinese”: as Chinese. In a group: reply /ocr.
    A PDF, too: pages by caption (3-12).
    🔁 Texts
    Tibetan ⇄ Chinese. /tibetan, /chinese: that way only. /auto: both ways.
    🔊 Speech
    /speak and a text: Ü-Tsang, Khampa, Amdo, all, Chinese. Yours: /dialect, /voice
    🔤 Wylie, sound
    /wylie, /phonetics and a text.
    💬 Groups and other chats
    Reply to a message: /translate, /speak. @{ $username } and a text works in any chat. /listen on: every text.
    ⚙️ Yours
    /settings, /lang, /usage: what is left
    /cancel, /privacy: what I keep, /forget
anything-else = I read photos of Tibetan or Chinese, translate texts between the two, and speak them: /help shows how.

## Translating

neither-script = I see no Tibetan and no Chinese in this. Send a text in one of the two, or a photo of one.
neither-script-nor-wylie = I see no Tibetan and no Chinese in this. If it is Tibetan in Wylie, /wylie turns it into Tibetan script.
nothing-to-translate = There is nothing to translate yet. Write the text after /translate, or reply to a text or a photo with /translate.
answer-outdated = The message was changed after I answered it, so that answer no longer holds.
already-tibetan = This is in Tibetan already, so there is nothing to translate. Reply to it with /chinese, and it becomes Chinese. /auto goes back to both ways.
already-chinese = This is in Chinese already, so there is nothing to translate. Reply to it with /tibetan, and it becomes Tibetan. /auto goes back to both ways.
target-tibetan = From now on I translate into Tibetan. /auto goes back to both ways.
target-chinese = From now on I translate into Chinese. /auto goes back to both ways.
target-auto = From now on I translate Tibetan into Chinese and Chinese into Tibetan.

## Reading

nothing-found-tibetan = I found no Tibetan text in this photo. A sharper photo, taken closer or sent as a file, may help; handwriting is beyond me. Is the text in Chinese?
nothing-found-chinese = I found no Chinese text in this photo. A sharper photo, taken closer or sent as a file, may help; handwriting is beyond me. Is the text in Tibetan?
nothing-found-both = I found no text in this photo, neither Tibetan nor Chinese. A sharper photo, taken closer or sent as a file, may help; handwriting is beyond me.
unlikely-tibetan = I read hardly a Tibetan letter here: is the text in Chinese?
unlikely-chinese = I read hardly a Chinese character here: is the text in Tibetan?
reading-tibetan = From now on I read photos as Tibetan.
reading-chinese = From now on I read photos as Chinese.
keep-reading-tibetan = You have had two photos read as Tibetan. Shall I read all of them so from now on?
keep-reading-chinese = You have had two photos read as Chinese. Shall I read all of them so from now on?
ocr-how = Send me a photo, or reply to one with /ocr; /ocr both reads it as Tibetan and as Chinese. In which language do I read photos?
ocr-unknown = I read Tibetan and Chinese. Which of the two?
ocr-no-photo = There is no photo in the message that you replied to. Reply to a photo with /ocr.
photo-gone = I cannot see that photo any more. Please send it again.

## Documents

document-read = { $count ->
        [one] One page read.
       *[other] { $count } pages read.
    }
document-read-free = { $count ->
        [one] One of them has its text in the file, which takes no call.
       *[other] { $count } of them have their text in the file, which takes no call.
    }
document-read-failed = Not read: { $count }; the reason stands in its place.
document-left = Not read yet: { $count }.
document-translated = The translation.
document-page-unreadable = This page could not be opened. Please send it as a photo.
document-is-text = This file is text already. Reply to it with /chinese, /tibetan or /speak.
document-too-many-pages = That is too much at once: this PDF has { $count } pages, and I read { $most } at most. Choose pages in the caption, for example 1-{ $most }.
document-no-such-pages = There are no such pages in this PDF: it has { $count }. Choose them in the caption, for example 3-12 or 1,3,7-9.
document-nothing-found-tibetan = I found no Tibetan text on these pages. Is the text in Chinese?
document-nothing-found-chinese = I found no Chinese text on these pages. Is the text in Tibetan?
document-gone = This button is too old. Please send the document again.

## Speaking

nothing-to-speak = There is nothing to speak yet. Write the text after /speak, or reply to a text or a photo with /speak.
only-links = There are only links, names or tags in this, and I do not speak those. Send me a text in Tibetan or Chinese.
dialect-which = In which dialect do I speak Tibetan to you?
dialect-unknown = I speak the dialects of Ü-Tsang, Kham and Amdo. Which one?
dialect-chosen = From now on I speak Tibetan in the { $dialect } dialect.
voice-which = In which voice do I speak Chinese to you?
voice-unknown = I have two voices for Chinese. Which one?
voice-chosen = From now on I speak Chinese in this voice: { $voice }.
voice-forbidden = Your privacy settings forbid voice messages, so this comes as an audio file.
voice-forbidden-group = This group takes no voice messages, so this comes as an audio file.
sound-forbidden = This group takes neither voice messages nor audio files from me. Its admins can allow them.
voice-page = p. { $number }
aloud-offer = 🔊 I can also speak every answer: send me a photo or a text, and listen. The buttons are the dialects that you hear now, in their order; press yours. Each answer then takes one call more of your share of the day.
aloud-chosen = From now on I also speak every answer. Send me a photo or a text.
always-speak = Shall I do that at once from now on: read, translate and speak each photo? It takes 3 calls of your share of the day.
always-speak-chosen = From now on I read, translate and speak each photo at once. /settings changes that.

## The language of the messages

lang-which = In which language do I write to you?
lang-unknown = These are the languages I write in. Which one?
lang-chosen = From now on I write to you in English.

## Wylie

wylie-how = Write Tibetan or Wylie after /wylie, or reply to a text with /wylie. It takes no call.
wylie-nothing = I see neither Tibetan nor Wylie in this.
picture-unread = I have not read Tibetan in this picture yet. Reply to it with /ocr tibetan, which takes one call; then ask again, which takes none.
free-too-long = That is too much at once: I turn { $most } letters at most into Wylie, Tibetan or phonetics. Please send it in smaller parts.
phonetics-how = Write Tibetan after /phonetics, or reply to a Tibetan text with /phonetics: I write how it sounds. It takes no call.
phonetics-nothing = I see no Tibetan in this, so I cannot write how it sounds.
phonetics-chinese = This is Chinese; I write only how Tibetan sounds. /tibetan translates it, and /speak reads it out.
phonetics-heading = 👄 Lhasa-like, made by rules:

## In any chat (inline mode)

inline-how = Type a text in Tibetan or Chinese
inline-neither = I translate only Tibetan and Chinese
inline-untranslated = No translation now: send it as it is

## Settings

settings-language = 🌐 My messages: { $value }
settings-target = 🔁 Translation: { $value }
settings-reading = 👁 Photos are read as: { $value }
settings-dialect = 🗣 Tibetan dialect: { $value }
settings-voice = 🎙 Chinese voice: { $value }
settings-wylie = 🔤 Recognised Tibetan: { $value }
settings-original = 📜 Translations: { $value }
settings-doubts = 🔎 Doubtful Tibetan: { $value }
settings-photo = 📷 A photo gets: { $value }
settings-spoken = 🔊 Answers: { $value }
settings-yours = Your settings:
settings-group = The settings of this group:
settings-target-auto = Both ways
settings-target-tibetan = Into Tibetan
settings-target-chinese = Into Chinese
settings-wylie-on = With Wylie
settings-wylie-off = Without Wylie
settings-original-on = With the original
settings-original-off = Alone
settings-doubts-on = Pointed out
settings-doubts-off = Not pointed out
settings-photo-read = Read · 1 call
settings-photo-translate = + translate · 2 calls
settings-photo-speak = + speak · 3 calls
settings-spoken-on = Also spoken · 1 call more
settings-spoken-off = In writing
settings-not-yours = These are another person's settings. /settings shows yours.
settings-of-group = These are the group's settings. Only its admins may change them. /settings shows yours.

## Buttons and progress

button-translate = 🔁 Translate
button-translate-caption = 🔁 Translate caption
button-copy = 📋 Copy
button-send = 📤 Send to …
button-more = 🔊 ⋯
button-slower = 🐢 Slower
button-wylie = 🔤 Wylie
button-phonetics = 👄 How it sounds
button-always = ✓ Always at once
button-read-tibetan = 👁 Read as Tibetan
button-read-chinese = 👁 Read as Chinese
button-try-again = ↻ Try again
button-rest = ↻ The rest · calls: { $calls }
button-private-chat = 💬 Go on in private
button-back = ← Back
button-cancel = ✕ Cancel
callback-too-old = This button is too old. Please send the text or the photo again.
try-again-not-yours = Only the person who asked for this can have it tried again.
try-again-gone = I am trying this again already, or have done so, or it is too old. If no answer comes, please send it anew.
cancel-not-yours = Only the person who asked for this can stop it.
cancel-heard = I am stopping. What you asked for before is not done any more.
progress = Working: { $done }/{ $total }
progress-long = This takes a little longer.
whole-text = The whole text is in this file.
original-text = The original.
doubts = 🔎 Please check: { $syllables }
cancelled = I have stopped. What you asked for before is not done any more.
stopped = I have stopped. What is finished is above.
nothing-to-cancel = Nothing is running for you.

## Groups

welcome =
    Tashi delek! I translate between Tibetan and Chinese, read photos and speak texts.

    Reply to a message with /tibetan, /chinese, /ocr or /speak, or mention me: @{ $username }.

    I do not see the other messages here, unless I am an admin; and I answer them only once an admin sends /listen on.
listen-groups-only = /listen is for groups: it makes me translate every Tibetan or Chinese text there.
listen-admins-only = Only the admins of this group may say whether I translate everything.
listen-on = From now on I translate every Tibetan or Chinese text here. /listen off ends that.
listen-on-deaf = From now on I translate every Tibetan or Chinese text here. But I do not see plain messages yet: please make me an admin of this group; or have the people who run me turn “Group Privacy” off in @BotFather, and add me anew. /listen off ends it.
listen-hears = I am an admin now, so I see every message here, and translate each that is in Tibetan or Chinese. /listen off ends that.
listen-off = From now on I answer only commands, replies to my messages, and mentions.
listen-is-on = I translate every Tibetan or Chinese text here. /listen off ends that.
listen-is-off = I answer only commands, replies to my messages, and mentions. /listen on has me translate every Tibetan or Chinese text.
listen-wrong = Write /listen on or /listen off; or, for your own messages, /listen skip or /listen me.
listen-skip = I leave your messages alone in groups, also where I translate everything. /listen me ends that.
listen-me = I translate your messages again where I translate everything.

## Who may use the bot

access-stranger = Tashi delek! I work only for people whom my admins have let in. Would you like to ask them?
access-asked = I have asked the people who run me. You will hear from me as soon as they let you in.
access-waits = Your request still waits: the people who run me have not answered it yet. You will hear from me as soon as they let you in.
access-let-in = Welcome! You have been let in: send me a photo or a text. /help shows how.
access-group-waits = Nobody has let this group in yet. I have asked the people who run me; if they do not answer within a day, I leave.
button-ask-access = 🔑 Ask to be let in
access-request = 🔑 { $name } asks to be let in.
access-request-group = 🔑 The group { $name } asks to be let in. Asked by: { $by }
button-let-in = ✓ Let in
button-block = ✕ Block
button-take-back = ↩ Take back
access-let-in-by = ✓ { $name } was let in by { $by }.
access-blocked-by = ✕ { $name } was blocked by { $by }.
access-request-gone = This request was taken back, or is too old. /allow { $id } lets them in all the same.
access-how = Whom? Reply to a message of theirs, or to one that you have forwarded to me, with /allow or /block; or write their number or @name after it. In a group, the command alone means the group.
access-name-unknown = I have never seen that @name. Reply to a message of theirs, or give their number.
access-of-admin = Whoever runs me (ADMIN_IDS) is always let in, and cannot be blocked.
access-of-bot = That is a bot. I never answer bots, so there is nothing to allow or to block.
access-of-channel = That was written in the name of a channel. If you mean the channel itself, send /allow { $id } or /block { $id }.
access-of-hidden = Telegram hides from me who wrote that first. Give me their number or @name, or let them write to me.
invite =
    Whoever opens this link is let in:
    { $link }

    With this one they add me to a group, and the whole group is let in:
    { $group }

    Both together work { $uses ->
        [one] once
       *[other] { $uses } times
    }, for { $days ->
        [one] 1 day
       *[other] { $days } days
    }. Whoever has the link can use it, so give it only to those whom you mean.
invite-how = Write /invite, how often it may be used (up to { $uses }), and for how many days (up to { $days }): /invite 20 7
invite-words = Lotsawa translates between Tibetan and Chinese, reads photos and speaks. This link lets you in.
button-invite-person = 📨 Invite somebody
button-invite-group = 📨 Invite a group
invitation-over = This invitation is used up or too old. Would you like to ask to be let in?
members =
    { $list }

    ✓ let in · ✕ blocked · ? asks
    Who (number) · since when (UTC) · by whom
    Press a number to let in, block, or take back.
members-none = Nobody has been let in or blocked yet.
members-forgotten = somebody who had themselves forgotten
button-members-newer = ← Newer
button-members-older = Older →
admins-only = This is for the people who run me.
admins-private-only = Please ask me that in our private chat: not everybody here should see it.
paused = I am having a rest. Please try again later.
pause-begun =
    ⏸ From now on I work only for those who run me. Everybody else is told:

    { $text }

    /resume ends that.
pause-ended = ▶ I work for everybody again.
pause-none = There is no pause. /pause begins one.
inline-stranger = Ask to be let in first
guest-wait = ⏳ One moment …
guest-how = Mention me before a text in Tibetan or Chinese, or in a reply to such a text or to a photo of one.
guest-stranger = I work only for people whom my admins have let in. Write to @{ $username } to ask them.
button-speak-there = 🔊 Listen
button-whole = The whole text
inline-paused = I am having a rest

## When something fails

failure-auth = The service that reads, translates and speaks for me does not let me in at the moment. This is not your mistake; the people who run me have to mend it. Please try again later.
failure-auth-until = The service that reads, translates and speaks for me does not let me in at the moment. This is not your mistake; the people who run me have to mend it. I can try again in { $minutes } min.
failure-quota = The credit for the service that reads, translates and speaks for me is used up. The people who run me have to top it up. Please try again later.
failure-quota-until = The credit for the service that reads, translates and speaks for me is used up. The people who run me have to top it up. I can try again in { $minutes } min.
failure-too-long = This text is too long for the service. Please send it in smaller parts.
failure-bad-request = The service cannot work with this text or picture. Please try another one, or a part of it.
failure-unavailable = The service that reads, translates and speaks for me does not answer properly right now. Please try again in a few minutes.
failure-unavailable-until = The service that reads, translates and speaks for me does not answer properly right now. I can try again in { $seconds } s.
failure-in-doubt = The service took too long, and I do not know whether it did the work. Shall I try again?
failure-in-doubt-until = The service took too long, and I do not know whether it did the work. I can try again in { $seconds } s.
failure-cancelled = This was cancelled.
failure-image-unreadable = I cannot open this picture: it is damaged, or of a kind that I do not know. Please send it as a photo, or as JPG or PNG.
failure-image-too-large = This picture has too many pixels for me. Please send a smaller one.
failure-file-too-large = I can take no file above { $most } MB. Please send it as a photo, or a smaller file.
failure-document-encrypted = This PDF opens only with its password. Please send it again with the right one in the caption, for example: password: 1234. I do not keep it.
failure-document-page-blank = This page is blank, or the file lacks its letters. If you can see text on it, please send it as a photo.
failure-document-unreadable = I cannot open this file: it is damaged, or not what its name says. Please send it as a PDF, or as a text file in UTF-8.
failure-document-too-large = This PDF takes too much memory or time to open. Please send its pages as photos, or a simpler file.
failure-document-too-long = This PDF has more text than I take at once. Please choose fewer pages in the caption, for example 1-50.
failure-text-file-too-large = I take text files up to 1 MB. Please send it in smaller parts.
failure-file-gone = Telegram no longer gives me this file. Please send it again.
failure-file-unfetched = Telegram does not hand me this file right now. Please try again in a moment.
failure-file-unserved = I cannot fetch files from Telegram as I am set up. This is not your mistake; the people who run me have to mend it. Please try again later.
failure-audio = The speech did not come out right, so I send none. Please try again.
failure-database = I cannot keep my accounts right now, so I cannot do this. The people who run me have been told. Please try again later.
limit-person = You have used all your calls for today.
limit-person-few = This takes more calls than you have left today ({ $left } of { $limit }). Something shorter may do.
limit-group = This group has used all its calls for today.
limit-group-few = This takes more calls than this group has left today ({ $left } of { $limit }). Something shorter may do.
limit-group-none = The admins of this group allow me no calls here (/quota). In a private chat I do it for you.
limit-bot = Everybody together has used all my calls for today.
limit-bot-few = This takes more calls than I have left today for everybody ({ $left }). Something shorter may do.
starts-again = It starts again at 00:00 UTC, in { $hours } h { $minutes } min.
given-up = I am sorry: I tried this several times and could not do it. It has been noted for the people who run me.
failure-unforeseen = Something went wrong on my side. I have noted it; please try again.
topics-closed = The topic of “{ $group }” in which you asked has been closed, so I could not answer there. Please ask me here.

## Asking before it costs

costly = This takes { $calls } calls.
costly-at-least = This takes at least { $calls } calls.
costly-aloud = This takes many calls of your day. Shall I go on? The first button is yes, the second is no.
left-person = Left for you today: { $left } of { $limit }
left-group = Left for this group today: { $left } of { $limit }
left-everybody = Left for everybody today: { $left }
costly-sure = Shall I go on?
costly-not-done = All right, I leave it.
costly-not-yours = Only the person who asked for this can decide on it.
costly-gone = This question is over: it was answered, taken back, or is too old. If no answer comes, please ask anew.
button-go-on = ✓ Go on
button-no = ✕ No

## Money

usage-person =
    A photo, a text or a voice note is one call, a long one more.
    • today: { $today }
    • this month: { $month }
    • this month without a call, since it was there already: { $saved }
usage-group =
    The calls of this group:
    • today: { $today }
    • this month: { $month }
    • this month without a call, since it was there already: { $saved }
for-free = It is free for you.
usage-calls = { $calls }
usage-person-of = { $calls } of your { $limit }
usage-group-of = { $calls } of { $limit }
with-cost = { $words } · { $cost } yuan
usage-unlimited = There is no daily limit.
quota-groups-only = /quota is for groups: it sets how often a group may use me per day.
quota-admins-only = Only the admins of this group may change its daily limit.
quota-present =
    This group may use me { $limit ->
        [one] once
       *[other] { $limit } times
    } a day; { $left } left today. /quota with a number lowers that, /quota off takes it back.
quota-none = This group has no daily limit. /quota with a number sets one.
quota-set =
    From now on this group may use me { $limit ->
        [one] once
       *[other] { $limit } times
    } a day; { $left } left today. /quota off takes that back.
quota-wrong = Write a whole number from 0 to { $most }, for example /quota 50, or /quota off.
quota-wrong-unbounded = Write a whole number from 0 on, for example /quota 50, or /quota off.
stats-admins-only = /stats is for those who run this bot. If that is you: your number is { $id }, for ADMIN_IDS.
stats-days = days
stats-uses = uses
stats-yuan = yuan
stats-photos = photos
stats-texts = texts
stats-speech = speech
stats-saved = saved
stats-percent = % saved
stats-people = people
stats-groups = groups
stats-budget = Today: { $spent } of { $budget } yuan spent ({ $percent } %)
stats-bars = { $days } days
stats-note = The first column is today, by UTC.
stats-in-doubt = Of these, in 30 days, not known whether charged: { $count }, up to { $cost } yuan
stats-dead-letters = Requests given up: { $count }
stats-version = Lotsawa { $version }
alert-quota-recognition = ⚠️ The credit at the service for reading photos is used up. I read none for 10 minutes, then I try once. Please top it up, then press “Try now”.
alert-quota-translation = ⚠️ The credit at the service for translation is used up. I translate nothing for 10 minutes, then I try once. Please top it up, then press “Try now”.
alert-quota-speech = ⚠️ The credit at the service for speech is used up. I speak nothing for 10 minutes, then I try once. Please top it up, then press “Try now”.
button-try-now = ▶ Try now
try-now-done = The next request tries it.
try-now-needless = There is no pause: everything is tried at once.
alert-auth-token = ⚠️ The service refuses SERVICE_API_KEY and SERVICE_SECRET_KEY, so photos cannot be read. I try once every 10 minutes. Please check them.
alert-auth-x-secret = ⚠️ The service refuses SERVICE_X_SECRET, so there is no translation and no speech. I try once every 10 minutes. Please check it.
alert-database = ⚠️ The accounts cannot be written (is the disk full, or the database locked?). Until they can, I do nothing that costs money.
alert-budget-80 = ⚠️ Of today's budget, { $spent } of { $budget } yuan are spent. When nothing is left, I stop until 00:00 UTC. DAILY_BUDGET_YUAN sets it.
alert-budget-100 = ⚠️ Today's budget is used up: { $spent } of { $budget } yuan. Until 00:00 UTC I do what costs money for admins alone. DAILY_BUDGET_YUAN sets it.
alert-files = ⚠️ My Bot API server hands out no files, so photos cannot be read. My log says what to set (TELEGRAM_FILES_DIR), and so does npm run doctor.

## Privacy

privacy =
    What I keep about you:
    • your settings, and the last text, so that /speak knows what to speak;
    • the results of what you asked for, for { $days ->
        [one] 1 day
       *[other] { $days } days
    }, so that nothing is done twice; of the photos and texts themselves only a fingerprint, by which I know them again;
    • a list of your calls: when, of what kind, how many characters; never the text;
    • a request that I could not finish, until it is done: at most 30 days;
    • for two days, which of my messages answers which of yours, where an album’s photos are, and the parts of a long text that Telegram has cut, so that I can follow your edits;
    • for as long as the results, where an album’s photos are, and the text of a long voice note, of an album’s caption, and of /ocr both, so that buttons and replies mean all of it;
    • where somebody decided whether you may use me: your name and number, what was decided, by whom and when; and your @name for 90 days, by which my admins find you.

    Photos and texts go to a service that reads, translates and speaks them. My logs hold no text of yours.

    /forget erases all of it; only the number of today’s calls stays until 00:00 UTC, without a name, so that nobody gets a day’s share twice. Only that you were let in or blocked stays, under a hash that names nobody.

    Lotsawa { $version }
forget-sure = Shall I erase your settings, your last text, and the results and accounts kept under your name? It cannot be undone. How many calls you had today stays until 00:00 UTC, as a number without your name, so that nobody gets a day’s share twice.
forget-not-yours = Only the person who asked for this can press that button. /forget erases what is kept about you.
forgotten = It is erased. I know nothing about you any more; only the number of today’s calls stays until 00:00 UTC, without your name.
button-forget = Erase everything

## The command menu

command-speak = Speak a text: Ü-Tsang, Khampa, Amdo, Chinese
command-ocr = Read the photo you reply to
command-translate = Translate the message you reply to
command-dialect = Choose the Tibetan dialect
command-voice = Choose the Chinese voice
command-wylie = Tibetan into Wylie, Wylie into Tibetan
command-phonetics = How Tibetan sounds, in Latin letters
command-settings = Everything that can be set
command-stats = What the whole bot does and costs
command-invite = A link that lets people in
command-allow = Let somebody, or a group, in
command-block = Answer somebody, or a group, no more
command-members = Who is let in, blocked, or asks
command-pause = Have a rest; admins go on
command-resume = Work for everybody again
command-usage = Your calls, and what is left today
command-cancel = Stop what I am doing for you
command-quota = The group's daily limit (admins)
command-listen = Translate every text (admins)
command-privacy = What I keep about you
command-forget = Erase what I keep about you
command-lang = Language · སྐད་ཡིག · 语言
command-help = How it works

## The profile

profile-description =
    I read, translate and speak Tibetan and Chinese, for free.

    • Send me a photo, and I read the text in it.
    • Send me a text, and I translate it.
    • Send /speak, and I speak it: in Ü-Tsang, Kham or Amdo dialect, or in Chinese.

    In any chat: write @, my name and a text, and choose the translation.
profile-short-description = Reads, translates and speaks Tibetan and Chinese: photos, texts, voice notes.
