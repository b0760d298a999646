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
    Tashi delek! I’m Lotsawa. I translate between Tibetan and Chinese.

    📷 Send a photo, and I’ll read its text.
    💬 Send a text, and I’ll translate it.
    🔊 The buttons under my answers read them aloud, in three dialects.

    It’s free for you. /help shows what else I can do.
button-try-photo = 📷 Try a photo
help =
    📷 Photos
    Send one, and I’ll read it: as Chinese with the caption “Chinese”. In groups, reply with /ocr.
    PDFs too; pages in the caption: 3-12
    🔁 Translation
    Tibetan ⇄ Chinese. Only one way: /tibetan, /chinese. Both ways again: /auto
    🔊 Reading aloud
    /speak and a text, in Ü-Tsang, Khampa, Amdo, all or Chinese. Yours: /dialect, /voice
    🔤 Wylie and sounds
    /wylie or /phonetics and a text
    💬 Groups and other chats
    Reply to a message with /translate or /speak. In any chat: @{ $username } and a text. In groups, /listen on: I translate everything.
    ⚙️ For you
    /usage: what’s left today, /cancel
    /settings, /lang, /privacy, /forget
anything-else = I read photos of Tibetan or Chinese, translate between the two, and read texts aloud. /help shows how.

## Translating

neither-script = I can’t find any Tibetan or Chinese here. Send me a text in one of them, or a photo of one.
neither-script-nor-wylie = I can’t find any Tibetan or Chinese here. If this is Tibetan in Wylie, /wylie turns it into Tibetan script.
nothing-to-translate = There’s nothing to translate yet. Write a text after /translate, or reply to a text or a photo with /translate.
already-tibetan = This is already in Tibetan. To translate it into Chinese, reply to it with /chinese. To have both ways again, send /auto.
already-chinese = This is already in Chinese. To translate it into Tibetan, reply to it with /tibetan. To have both ways again, send /auto.
target-tibetan = From now on I’ll translate only into Tibetan. To have both ways again, send /auto.
target-chinese = From now on I’ll translate only into Chinese. To have both ways again, send /auto.
target-auto = From now on I’ll translate both ways: Tibetan into Chinese, and Chinese into Tibetan.

## Reading

nothing-found-tibetan = I found no Tibetan in this photo. A sharper one may help, taken closer or sent as a file. I can’t read handwriting. Is the text in Chinese?
nothing-found-chinese = I found no Chinese in this photo. A sharper one may help, taken closer or sent as a file. I can’t read handwriting. Is the text in Tibetan?
nothing-found-both = I found no Tibetan or Chinese in this photo. A sharper one may help, taken closer or sent as a file. I can’t read handwriting.
unlikely-tibetan = I see hardly any Tibetan here. Is the text in Chinese?
unlikely-chinese = I see hardly any Chinese here. Is the text in Tibetan?
reading-tibetan = From now on I’ll read photos as Tibetan.
reading-chinese = From now on I’ll read photos as Chinese.
keep-reading-tibetan = That’s two photos I’ve read as Tibetan for you. How shall I read your photos from now on?
keep-reading-chinese = That’s two photos I’ve read as Chinese for you. How shall I read your photos from now on?
ocr-how = Send me a photo, or reply to one with /ocr. (/ocr both reads it as Tibetan and as Chinese.) How shall I read your photos?
ocr-unknown = I can read Tibetan and Chinese. Which one?
ocr-no-photo = There’s no photo in the message you replied to. Reply to a photo with /ocr.
photo-gone = I can’t see that photo any more. Please send it again.

## Documents

document-read = { $count ->
        [one] 1 page read.
       *[other] { $count } pages read.
    }
document-read-free = { $count ->
        [one] 1 had its text in the file already, which takes no calls.
       *[other] { $count } had their text in the file already, which takes no calls.
    }
document-read-failed = { $count ->
        [one] 1 page couldn’t be read; the reason is in its place.
       *[other] { $count } pages couldn’t be read; the reasons are in their place.
    }
document-left = { $count ->
        [one] 1 page still to read.
       *[other] { $count } pages still to read.
    }
document-translated = Here’s the translation.
document-page-unreadable = I couldn’t open this page. Please send it as a photo.
document-unknown = I can’t read this kind of file. Please save it as a Word file (.docx), a PDF or a text file (.txt), and send that. I also read subtitles (.srt) and pictures.
document-is-text = This file is already text. Reply to it with /chinese, /tibetan or /speak.
document-nothing-found-tibetan = I found no Tibetan on these pages. Is the text in Chinese?
document-nothing-found-chinese = I found no Chinese on these pages. Is the text in Tibetan?

## Speaking

nothing-to-speak = There’s nothing to read aloud yet. Write a text after /speak, or reply to a text or a photo with /speak.
only-links = There’s nothing but links, names or tags here, and I don’t read those aloud. Send me a text in Tibetan or Chinese.
dialect-which = Which Tibetan dialect shall I use?
dialect-unknown = I know the dialects of Ü-Tsang, Kham and Amdo. Which one would you like?
dialect-chosen = From now on I’ll read Tibetan aloud in the { $dialect } dialect.
voice-which = Which Chinese voice shall I use?
voice-unknown = I have two voices for Chinese. Which one would you like?
voice-chosen = From now on I’ll read Chinese aloud in this voice: { $voice }.
voice-forbidden = Your privacy settings don’t allow voice messages, so here it is as an audio file.
voice-forbidden-group = This group doesn’t allow voice messages, so here it is as an audio file.
sound-forbidden = This group doesn’t let me send voice messages or audio files. Its admins can allow them.
voice-page = p. { $number }
aloud-offer = 🔊 I can also read every answer aloud: send me a photo or a text, and listen. The buttons are the dialects you’re hearing now, in the same order; press yours. Each answer then takes one more of your calls.
aloud-chosen = From now on I’ll read every answer aloud, too. Send me a photo or a text.
always-speak = Shall I do all of that at once from now on: read each photo as { $language }, translate it and read it aloud? Each photo takes 3 of your calls.
always-speak-chosen = From now on I’ll read each photo, translate it and read it aloud, all at once. You can change this in /settings.

## The language of the messages

lang-which = Which language shall I write to you in?
lang-unknown = I can write in these languages. Which one would you like?
lang-chosen = From now on I’ll write to you in English.

## Wylie

wylie-how = Write Tibetan or Wylie after /wylie, or reply to a text with /wylie. It takes no calls.
wylie-nothing = I can’t find any Tibetan or Wylie here.
picture-unread = I haven’t read this photo as Tibetan yet. Reply to it with /ocr tibetan first, which takes one call. Then ask me again, which takes none.
free-too-long = That’s too much at once: I can turn up to { $most } letters into Wylie, Tibetan or phonetics. Please send it in smaller parts.
phonetics-how = Write Tibetan after /phonetics, or reply to a Tibetan text with /phonetics, and I’ll write how it sounds. It takes no calls.
phonetics-nothing = I can’t find any Tibetan here, so I can’t write how it sounds.
phonetics-chinese = This is Chinese, and I can only write how Tibetan sounds. /tibetan translates it, and /speak reads it aloud.
phonetics-heading = 👄 How it sounds in Lhasa, roughly:

## In any chat (inline mode)

inline-how = Type a text in Tibetan or Chinese
inline-neither = I only translate Tibetan and Chinese
inline-untranslated = I can’t translate now: send it as it is

## Settings

settings-language = 🌐 I write in: { $value }
settings-target = 🔁 Translation: { $value }
settings-reading = 👁 I read photos as: { $value }
settings-dialect = 🗣 Tibetan dialect: { $value }
settings-voice = 🎙 Chinese voice: { $value }
settings-wylie = 🔤 Tibetan in photos: { $value }
settings-original = 📜 Translations: { $value }
settings-doubts = 🔎 Doubtful syllables: { $value }
settings-photo = 📷 For each photo: { $value }
settings-spoken = 🔊 Answers: { $value }
settings-yours = Your settings:
settings-group =
    { $chat ->
        [channel] This channel
       *[other] This group
    }’s settings:
settings-target-auto = Both ways
settings-target-tibetan = Into Tibetan
settings-target-chinese = Into Chinese
settings-wylie-on = With Wylie
settings-wylie-off = Without Wylie
settings-original-on = With the original
settings-original-off = Without the original
settings-doubts-on = Shown
settings-doubts-off = Not shown
settings-photo-read = Read · 1 call
settings-photo-translate = + translate · 2 calls
settings-photo-speak = + read aloud · 3 calls
settings-spoken-on = Also read aloud · 1 more call
settings-spoken-off = In writing
settings-not-yours = These are someone else’s settings. /settings shows yours.
settings-of-group =
    { $chat ->
        [channel] These are the channel’s settings
       *[other] These are the group’s settings
    }, and only its admins can change them. /settings shows yours.

## Buttons and progress

button-translate = 🔁 Translate
button-translate-caption = 🔁 Translate caption
button-copy = 📋 Copy
button-send = 📤 Send to …
button-more = 🔊 ⋯
button-slower = 🐢 Slower
button-wylie = 🔤 Wylie
button-phonetics = 👄 How it sounds
button-always = ✓ Yes, always
button-read-tibetan = 👁 Read as Tibetan
button-read-chinese = 👁 Read as Chinese
button-try-again = ↻ Try again
button-rest = ↻ The rest · { $calls ->
        [one] 1 call
       *[other] { $calls } calls
    }
button-add-to-group = 👥 Add to a group
button-listen = 👂 Translate everything
button-private-chat = 💬 Continue in private
button-back = ← Back
button-cancel = ✕ Cancel
callback-too-old = This button is too old. Please send it again.
try-again-not-yours = Only the person who asked for this can try it again.
try-again-gone = I’m already trying this again, or I’m done with it, or it’s too old. If no answer comes, please send it again.
try-again-later = I can try this again in { $minutes } min.
cancel-not-yours = Only the person who asked for this can stop it.
cancel-heard = I’m stopping everything you asked for.
progress = Working: { $done }/{ $total }
progress-long = This is taking a little longer.
whole-text = Here’s the whole text.
doubts = 🔎 Please check: { $syllables }
cancelled = I’ve stopped everything you asked for.
stopped = I’ve stopped. What I finished is above.
nothing-to-cancel = There’s nothing to stop: I’m not doing anything for you right now.

## Groups

welcome =
    Tashi delek! I translate between Tibetan and Chinese, read photos, and read texts aloud.

    Reply to a message with /tibetan, /chinese, /ocr or /speak, or mention me: @{ $username }.

    I can’t see other messages here unless you make me an admin. Even then I leave them alone until an admin sends /listen on.
listen-groups-only = /listen is for groups: it lets me translate every message there in Tibetan or Chinese.
listen-admins-only = Only this group’s admins can decide whether I translate everything.
listen-on = From now on I’ll translate every message here in Tibetan or Chinese. To stop that, send /listen off.
listen-on-deaf = From now on I’ll translate every message here in Tibetan or Chinese. But I can’t see all messages yet: please make me an admin of this group. (Or ask the people who run me to turn off “Group Privacy” in @BotFather, and add me again.) To stop it, send /listen off.
listen-hears = I’m an admin now, so I can see every message here. I’ll translate those in Tibetan or Chinese. To stop that, send /listen off.
listen-off = From now on I’ll answer only commands, mentions, and replies to my messages.
listen-is-on = I translate every message here in Tibetan or Chinese. To stop that, send /listen off.
listen-is-off = I answer only commands, mentions, and replies to my messages. To have me translate every message in Tibetan or Chinese, send /listen on.
listen-wrong = Send /listen on or /listen off. For your own messages, send /listen skip or /listen me.
listen-skip = I’ll leave your messages in groups alone, even where I translate everything. To undo that, send /listen me.
listen-me = I’ll translate your messages again in groups where I translate everything.

## Who may use the bot

access-stranger = Tashi delek! I can only work for people who have been let in. Would you like to ask the people who run me?
access-asked = I’ve asked the people who run me. You’ll hear from me as soon as they let you in.
access-waits = The people who run me haven’t answered your request yet. You’ll hear from me as soon as they let you in.
access-let-in = Welcome! You’ve been let in. Send me a photo or a text. /help shows how.
access-group-waits = This group hasn’t been let in yet. I’ve asked the people who run me. If they don’t answer within a day, I’ll leave.
button-ask-access = 🔑 Ask to be let in
access-request = 🔑 { $name } would like to be let in.
access-request-group =
    🔑 { $chat ->
        [channel] The channel
       *[other] The group
    } { $name } would like to be let in. Asked by: { $by }
button-let-in = ✓ Let in
button-block = ✕ Block
button-take-back = ↩ Take back
access-let-in-by = ✓ { $name } was let in by { $by }.
access-blocked-by = ✕ { $name } was blocked by { $by }.
access-request-gone = This request was withdrawn, or is too old. To let them in anyway, send /allow { $id }
access-how = Who? Reply with /allow or /block to one of their messages, or to one you’ve forwarded to me. Or write their number or @name after it. In a group, the command alone means the group.
access-name-unknown = I’ve never seen that @name. Reply to one of their messages, or write their number.
access-of-admin = The people who run me (ADMIN_IDS) are always let in and can’t be blocked.
access-of-bot = That’s a bot. I never answer bots, so there’s nothing to allow or block.
access-of-channel = That was posted in the name of a channel. If you mean the channel itself, send /allow { $id } or /block { $id }.
access-of-hidden = Telegram won’t tell me who wrote that. Write their number or @name, or let them send me a message.
invite =
    Anyone who opens this link is let in:
    { $link }

    Anyone who opens this one can add me to a group, and the whole group is let in:
    { $group }

    Together the two links work { $uses ->
        [one] once
       *[other] { $uses } times
    }, for { $days ->
        [one] 1 day
       *[other] { $days } days
    }. Anyone who has them can use them, so send them only to people you mean to invite.
invite-how = After /invite, write how many times the links work (up to { $uses }) and for how many days (up to { $days }): /invite 20 7
invite-words = Lotsawa translates between Tibetan and Chinese, reads photos, and reads texts aloud. This link lets you in.
button-invite-person = 📨 Invite someone
button-invite-group = 📨 Invite a group
invitation-over = This invitation has been used up, or is too old. Would you like to ask to be let in?
members =
    { $list }

    ✓ let in · ✕ blocked · ? asking
    Name (number) · since (UTC) · by whom
    Press a number to let in, block or take back.
members-none = Nobody has been let in or blocked yet.
members-forgotten = someone who erased their data
button-members-newer = ← Newer
button-members-older = Older →
admins-only = Only the people who run me can use this.
admins-private-only = Please ask me that in our private chat: not everyone here should see the answer.
paused = I’m taking a break. Please try again later.
pause-begun =
    ⏸ From now on I work only for the people who run me. Everyone else is told:

    { $text }

    To end the break, send /resume.
pause-ended = ▶ I’m working for everyone again.
pause-none = I’m not on a break. To start one, send /pause.
inline-stranger = Ask to be let in first
guest-wait = ⏳ One moment …
guest-how = Mention me before a text in Tibetan or Chinese, or in a reply to such a text or to a photo of one.
guest-stranger = I can only work for people who have been let in. To ask, write to @{ $username }.
button-speak-there = 🔊 Listen
button-whole = The whole text
inline-paused = I’m taking a break

## When something fails

failure-auth = The service I use won’t let me in right now. It’s not your fault; the people who run me have to fix it. Please try again later.
failure-auth-until = The service I use won’t let me in right now. It’s not your fault; the people who run me have to fix it. I can try again in { $minutes } min.
failure-quota = My credit with the service I use has run out, and the people who run me have to top it up. Please try again later.
failure-quota-until = My credit with the service I use has run out, and the people who run me have to top it up. I can try again in { $minutes } min.
failure-private-letters = Some of these Tibetan letters are in an old code of Chinese software that I can’t read. Please send a photo or a PDF of the text.
failure-too-long = This text is too long for the service I use. Please send it in smaller parts.
failure-bad-request = The service I use can’t handle this text or photo. Please try another one, or just a part of it.
failure-unavailable = The service I use isn’t answering properly right now. Please try again in a few minutes.
failure-unavailable-until = The service I use isn’t answering properly right now. I can try again in { $seconds } s.
failure-in-doubt = The service I use took too long, and I can’t tell whether it did the work. Shall I try again?
failure-in-doubt-until = The service I use took too long, and I can’t tell whether it did the work. I can try again in { $seconds } s.
failure-undelivered = The connection to Telegram broke both times I sent the answer, so it may not have arrived. Trying again takes no calls.
failure-cancelled = This was cancelled.
failure-image-unreadable = I can’t open this picture: it’s damaged, or of a kind I don’t know. Please send it as a photo, or as a JPG or PNG file.
failure-image-too-large = This picture is too large for me. Please send a smaller one.
failure-file-too-large = I can’t take files over { $most } MB. Please send a smaller one, or send it as a photo.
failure-document-encrypted = This PDF needs the right password. Please send it again with the password in the caption, for example: password: 1234. I won’t keep it.
failure-document-page-blank = This page is blank, or its font is missing from the file. If you can see text on it, please send it as a photo.
failure-document-unreadable = I can’t open this file: it’s damaged, or isn’t what its name says. Please send it as a PDF, or as a text file in UTF-8.
failure-document-too-large = This PDF takes too much memory or time to open. Please send photos of its pages, or a simpler file.
failure-document-too-long = This PDF has more text than I can take at once. Please choose fewer pages in the caption, for example 1-50.
failure-document-no-such-pages = This PDF doesn’t have those pages: it ends at page { $count }. Choose others in the caption, for example 3-12 or 1,3,7-9.
failure-document-too-many-pages = This PDF has { $count } pages, and I can read { $most } at once. Choose pages in the caption, for example 1-{ $most }.
failure-text-file-too-large = I can’t take text files over 1 MB. Please send it in smaller parts.
failure-file-gone = Telegram can’t give me this file any more. Please send it again.
failure-file-unfetched = Telegram isn’t giving me this file right now. Please try again in a moment.
failure-file-unserved = I’m not set up to get files from Telegram. It’s not your fault; the people who run me have to fix it. Please try again later.
failure-audio = The voice message came out incomplete, so I haven’t sent it. Please try again.
failure-database = I can’t save anything right now, so I can’t do this. The people who run me have been told. Please try again later.
limit-person = You’ve used all your calls for today.
limit-person-few = This takes more calls than you have left today ({ $left } of { $limit }). Something shorter may work.
limit-group = This group has used all its calls for today.
limit-group-few = This takes more calls than this group has left today ({ $left } of { $limit }). Something shorter may work.
limit-group-none = This group’s admins have left me no calls here (/quota). In a private chat I can do it for you.
limit-bot = All my calls for everyone are used up for today.
limit-bot-few = This takes more calls than I have left for everyone today ({ $left }). Something shorter may work.
starts-again = The count starts again at 00:00 UTC, in { $hours } h { $minutes } min.
given-up = I’m sorry: I tried this several times and couldn’t do it. I’ve made a note for the people who run me.
failure-unforeseen = Something went wrong on my side, and I’ve made a note of it. Please try again.

## Asking before it costs

costly = This takes { $calls } calls.
costly-at-least = This takes at least { $calls } calls.
costly-aloud = This takes many of your calls for today. Shall I go on? The first button, “Go on”, is yes; the second, “No”, is no.
left-person = Left for you today: { $left } of { $limit }
left-group =
    { $chat ->
        [channel] Left for this channel
       *[other] Left for this group
    } today: { $left } of { $limit }
left-everybody = Left for everyone today: { $left }
costly-sure = Shall I go on?
costly-not-done = All right, I won’t do it.
costly-not-yours = Only the person who asked for this can decide.
costly-gone = This question is over: it was answered or withdrawn, or is too old. If no answer comes, please ask again.
button-go-on = ✓ Go on
button-no = ✕ No

## Money

usage-person =
    A photo, a text or a voice message takes one call; long ones take more.
    • today: { $today }
    • this month: { $month }
usage-group =
    { $chat ->
        [channel] This channel
       *[other] This group
    }’s calls:
    • today: { $today }
    • this month: { $month }
for-free = It’s free for you.
usage-calls = { $calls }
usage-person-of = { $calls } of your { $limit }
usage-group-of = { $calls } of { $limit }
with-cost = { $words } · { $cost } yuan
usage-unlimited = There’s no daily limit.
quota-groups-only = /quota is for groups: it sets how many calls a group has per day.
quota-admins-only = Only this group’s admins can change its daily limit.
quota-present =
    { $chat ->
        [channel] This channel
       *[other] This group
    } has { $limit ->
        [one] 1 call
       *[other] { $limit } calls
    } a day; { $left } left today. To lower that, send /quota and a number. /quota off brings the usual number back.
quota-none =
    { $chat ->
        [channel] This channel
       *[other] This group
    } has no daily limit. To set one, send /quota and a number.
quota-set =
    From now on { $chat ->
        [channel] this channel
       *[other] this group
    } has { $limit ->
        [one] 1 call
       *[other] { $limit } calls
    } a day; { $left } left today. To undo that, send /quota off.
quota-wrong = Send a whole number from 0 to { $most }, for example /quota 50, or /quota off.
quota-wrong-unbounded = Send a whole number, 0 or more, for example /quota 50, or /quota off.
stats-admins-only = Only the people who run me can use /stats. If that’s you, put your number into ADMIN_IDS: { $id }
stats-days = days
stats-uses = calls
stats-yuan = yuan
stats-photos = photos
stats-texts = texts
stats-speech = speech
stats-people = people
stats-groups = groups
stats-budget = Today: { $spent } of { $budget } yuan spent ({ $percent } %)
stats-bars = { $days } days
stats-note = The first column is today (UTC).
stats-dead-letters = Requests given up: { $count }
stats-version = Lotsawa { $version }
alert-quota-recognition = ⚠️ The service’s credit for reading photos has run out. I’ll read none for 10 minutes, then try once. Please top it up, then press “Try now”.
alert-quota-translation = ⚠️ The service’s credit for translation has run out. I’ll translate nothing for 10 minutes, then try once. Please top it up, then press “Try now”.
alert-quota-speech = ⚠️ The service’s credit for speech has run out. I’ll read nothing aloud for 10 minutes, then try once. Please top it up, then press “Try now”.
button-try-now = ▶ Try now
try-now-done = The next request will try it.
try-now-needless = Nothing is on hold: every request is tried at once.
alert-auth-token = ⚠️ The service refuses SERVICE_API_KEY and SERVICE_SECRET_KEY, so I can’t read photos. I try once every 10 minutes. Please check them.
alert-auth-x-secret = ⚠️ The service refuses SERVICE_X_SECRET, so I can’t translate or read aloud. I try once every 10 minutes. Please check it.
alert-database = ⚠️ I can’t write to the database. (Is the disk full, or the database locked?) Until I can, I do nothing that costs money.
alert-budget-80 = ⚠️ { $spent } of today’s { $budget } yuan are spent. When nothing is left, I stop until 00:00 UTC. DAILY_BUDGET_YUAN sets the budget.
alert-budget-100 = ⚠️ Today’s budget is used up: { $spent } of { $budget } yuan. Until 00:00 UTC, I do what costs money only for the people who run me. DAILY_BUDGET_YUAN sets the budget.
alert-files = ⚠️ My Bot API server doesn’t hand out files, so I can’t read photos. My log says what to set (TELEGRAM_FILES_DIR), and so does npm run doctor.

## Privacy

privacy =
    What I keep about you:
    • your settings, and your last text, so that /speak knows what to read aloud;
    • the results of what you asked for, for { $days ->
        [one] 1 day
       *[other] { $days } days
    }, so that nothing is done twice. Of the photos and texts themselves I keep only a fingerprint, to know them again;
    • a list of your calls: when, what kind, how many characters; never the text;
    • a request I couldn’t finish, until it’s done, for 30 days at most;
    • for two days, which of my messages answers which of yours, where an album’s photos are, and the parts of a long text that Telegram split, so that I can follow your edits;
    • for as long as the results, where your photos and documents are, and the text of a long voice message and of a caption, so that buttons and replies cover all of it;
    • if someone decided whether you may use me: your name and number, what was decided, by whom and when; and your @name for 90 days, so that the people who run me can find you.

    Photos and texts go to a service that reads, translates and speaks them. There is no text of yours in my logs.

    /forget erases all of it. Until 00:00 UTC I keep how many calls you had today, without your name, so that nobody gets a day’s share twice. If you were let in or blocked, that stays, too, under a code that doesn’t show who you are.

    Lotsawa { $version }
forget-sure = Shall I erase your settings, your last text, and the results and records kept under your name? This can’t be undone. How many calls you had today stays until 00:00 UTC, without your name, so that nobody gets a day’s share twice.
forget-not-yours = Only the person who asked for this can press that button. /forget erases what I keep about you.
forgotten = All erased. I know nothing about you any more; only the number of today’s calls stays until 00:00 UTC, without your name.
button-forget = Erase everything

## The command menu

command-speak = Read aloud: Ü-Tsang, Khampa, Amdo, Chinese
command-ocr = Read the photo you reply to
command-translate = Translate the message you reply to
command-dialect = Choose the Tibetan dialect
command-voice = Choose the Chinese voice
command-wylie = Tibetan to Wylie, Wylie to Tibetan
command-phonetics = How Tibetan sounds, in Latin letters
command-settings = All settings
command-stats = What the whole bot does and costs
command-invite = A link that lets people in
command-allow = Let in a person or a group
command-block = Stop answering a person or a group
command-members = Who is let in, blocked or asking
command-pause = Take a break, except for admins
command-resume = Work for everyone again
command-usage = Your calls, and what’s left today
command-cancel = Stop what I’m doing for you
command-quota = This group’s daily limit (admins)
command-listen = Translate every message (admins)
command-privacy = What I keep about you
command-forget = Erase what I keep about you
command-lang = Language · སྐད་ཡིག · 语言
command-help = How it works

## The profile

profile-description =
    I read, translate and speak Tibetan and Chinese, for free.

    • Send me a photo, and I’ll read the text in it.
    • Send me a text, and I’ll translate it.
    • Send me /speak and a text, and I’ll read it aloud: in the Ü-Tsang, Kham or Amdo dialect, or in Chinese.

    In any chat, type @, my name and a text, and choose the translation.
profile-short-description = Reads, translates and speaks Tibetan and Chinese: photos, texts, voice messages.
