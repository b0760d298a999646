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

    /help shows the rest.
button-try-photo = 📷 Try a photo
help =
    📷 Photos
    Send one: I read it. Captioned “Chinese”: as Chinese. In a group: reply /ocr.
    🔁 Texts
    Tibetan ⇄ Chinese. /tibetan, /chinese: that way only. /auto: both ways.
    🔊 Speech
    /speak and a text: Ü-Tsang, Khampa, Amdo, Chinese. Your own: /dialect, /voice
    🔤 Wylie
    /wylie and a text: both ways, free.
    💬 Groups and other chats
    Reply to a message with a command. @{ $username } and a text works in any chat. /listen on: every text.
    ⚙️ Yours
    /settings, /lang, /usage: what is left
    /cancel, /privacy: what I keep, /forget
anything-else = I read photos of Tibetan or Chinese, translate texts between the two, and speak them: /help shows how.

## Translating

neither-script = I see no Tibetan and no Chinese in this. Send a text in one of the two, or a photo of one.
neither-script-nor-wylie = I see no Tibetan and no Chinese in this. If it is Tibetan in Wylie, /wylie turns it into Tibetan script.
answer-outdated = The message was changed after I answered it, so that answer no longer holds.
already-tibetan = This is in Tibetan already, so there is nothing to translate. Reply to it with /chinese, and it becomes Chinese. /auto goes back to both ways.
already-chinese = This is in Chinese already, so there is nothing to translate. Reply to it with /tibetan, and it becomes Tibetan. /auto goes back to both ways.
target-tibetan = From now on I translate into Tibetan. /auto goes back to both ways.
target-chinese = From now on I translate into Chinese. /auto goes back to both ways.
target-auto = From now on I translate Tibetan into Chinese and Chinese into Tibetan.

## Reading

nothing-found-tibetan = I found no Tibetan text in this photo. A straight, sharp photo in good light helps. Is the text in Chinese?
nothing-found-chinese = I found no Chinese text in this photo. A straight, sharp photo in good light helps. Is the text in Tibetan?
reading-tibetan = From now on I read photos as Tibetan.
reading-chinese = From now on I read photos as Chinese.
ocr-how = Send me a photo, or reply to one with /ocr. In which language do I read photos?
ocr-unknown = I read Tibetan and Chinese. Which of the two?
ocr-no-photo = There is no photo in the message that you replied to. Reply to a photo with /ocr.
photo-gone = I cannot see that photo any more. Please send it again.

## Speaking

nothing-to-speak = There is nothing to speak yet. Write the text after /speak, or reply to a text or a photo with /speak.
dialect-which = In which dialect do I speak Tibetan to you?
dialect-unknown = I speak the dialects of Ü-Tsang, Kham and Amdo. Which one?
dialect-chosen = From now on I speak Tibetan in the { $dialect } dialect.
voice-which = In which voice do I speak Chinese to you?
voice-unknown = I have two voices for Chinese. Which one?
voice-chosen = From now on I speak Chinese in this voice: { $voice }.
voice-forbidden = Your privacy settings forbid voice messages, so this comes as an audio file.
voice-forbidden-group = This group takes no voice messages, so this comes as an audio file.
sound-forbidden = This group takes neither voice messages nor audio files from me. Its admins can allow them.

## The language of the messages

lang-which = In which language do I write to you?
lang-unknown = I write in three languages. Which one?
lang-chosen = From now on I write to you in English.

## Wylie

wylie-how = Write Tibetan or Wylie after /wylie, or reply to a text with /wylie. It costs nothing.
wylie-nothing = I see neither Tibetan nor Wylie in this.

## In any chat (inline mode)

inline-how = Type a text in Tibetan or Chinese
inline-neither = I translate only Tibetan and Chinese
inline-untranslated = No translation now: send it as it is

## Settings

settings =
    { $whose }
    🌐 My messages: { $language }
    🔁 Translation: { $target }
    👁 Photos are read as: { $reading }
    🗣 Tibetan dialect: { $dialect }
    🎙 Chinese voice: { $voice }
    🔤 Recognised Tibetan: { $wylie }
settings-yours = Your settings:
settings-group = The settings of this group:
settings-target-auto = Both ways
settings-target-tibetan = Into Tibetan
settings-target-chinese = Into Chinese
settings-wylie-on = With Wylie
settings-wylie-off = Without Wylie
settings-not-yours = These are another person's settings. /settings shows yours.
settings-of-group = These are the group's settings. Only its admins may change them. /settings shows yours.

## Buttons and progress

button-translate = 🔁 Translate
button-copy = 📋 Copy
button-read-tibetan = 👁 Read as Tibetan
button-read-chinese = 👁 Read as Chinese
button-try-again = ↻ Try again
button-private-chat = 💬 Go on in private
button-cancel = ✕ Cancel
press-too-old = This button is too old. Please send the text or the photo again.
try-again-not-yours = Only the person who asked for this can have it tried again.
try-again-gone = I am trying this again already, or have done so, or it is too old. If no answer comes, please send it anew.
cancel-not-yours = Only the person who asked for this can stop it.
cancel-heard = I am stopping. What you asked for before is not done any more.
progress = Working: { $done }/{ $total }
progress-long = This takes a little longer.
whole-text = The whole text is in this file.
cancelled = I have stopped. What you asked for before is not done any more.
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
listen-off = From now on I answer only commands, replies to my messages, and mentions.
listen-is-on = I translate every Tibetan or Chinese text here. /listen off ends that.
listen-is-off = I answer only commands, replies to my messages, and mentions. /listen on has me translate every Tibetan or Chinese text.
listen-wrong = Write /listen on or /listen off.

## When something fails

failure-auth = The service that reads, translates and speaks for me does not let me in at the moment. This is not your mistake; the people who run me have to mend it. Please try again later.
failure-quota = The credit for the service that reads, translates and speaks for me is used up. The people who run me have to top it up. Please try again later.
failure-too-long = This text is too long for the service. Please send it in smaller parts.
failure-bad-request = The service cannot work with this text or picture. Please try another one, or a part of it.
failure-unavailable = The service that reads, translates and speaks for me does not answer properly right now. Please try again in a few minutes.
failure-in-doubt = The service took too long, and I do not know whether it did the work. Shall I try again?
failure-cancelled = This was cancelled.
failure-image-unreadable = I cannot open this picture: it is damaged, or of a kind that I do not know. Please send it as a photo, or as JPG or PNG.
failure-image-too-large = This picture has too many pixels for me. Please send a smaller one.
failure-file-too-large = Telegram gives me no file above 20 MB. Please send it as a photo, or a smaller file.
failure-file-gone = Telegram no longer gives me this file. Please send it again.
failure-file-unfetched = Telegram does not hand me this file right now. Please try again in a moment.
failure-audio = The speech did not come out right, so I send none. Please try again.
failure-database = I cannot keep my accounts right now, so I do nothing that costs money. The people who run me have been told. Please try again later.
limit-person = You have used all that you may use today. It starts again at 00:00 UTC, in { $hours } h { $minutes } min.
limit-person-few = This takes more than you have left today ({ $left } of { $limit }). Something shorter may do. It starts again at 00:00 UTC, in { $hours } h { $minutes } min.
limit-group = This group has used all that it may use today. It starts again at 00:00 UTC, in { $hours } h { $minutes } min.
limit-group-few = This takes more than this group has left today ({ $left } of { $limit }). Something shorter may do. It starts again at 00:00 UTC, in { $hours } h { $minutes } min.
limit-group-none = The admins of this group allow nothing here that costs money (/quota). In a private chat I do it for you.
limit-bot = I have spent all that I may spend today. I start again at 00:00 UTC, in { $hours } h { $minutes } min.
given-up = I am sorry: I tried this several times and could not do it. It has been noted for the people who run me.
failure-unforeseen = Something went wrong on my side. I have noted it; please try again.
topic-closed = { $name }, the topic in which you asked has been closed, so I answer here: { $link }
topic-gone = { $name }, the topic in which you asked is gone, so I answer here.

## Money

usage-person =
    What you have used, by UTC days. A photo, a text or a voice note counts 1, a long one more.
    • today: { $today } ({ $todayCost } yuan)
    • this month: { $month } ({ $monthCost } yuan)
    • saved this month by results that were there already: { $saved } ({ $savedCost } yuan)
    • { $left }
usage-group =
    What this group has used, by UTC days:
    • today: { $today } ({ $todayCost } yuan)
    • this month: { $month } ({ $monthCost } yuan)
    • saved this month by results that were there already: { $saved } ({ $savedCost } yuan)
    • { $left }
usage-left = left today: { $left } of { $limit }
usage-unlimited = no daily limit
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
stats-note = The first column is today, by UTC.
stats-in-doubt = Besides, in 30 days, not known whether charged: { $count }, up to { $cost } yuan
stats-set-aside = Requests given up: { $count }
stats-legend = In the chart, from the left: photos, texts, speech, saved.
stats-version = Lotsawa { $version }
alert-quota-recognition = ⚠️ The credit at the service for reading photos is used up. I read none for 10 minutes, then I try once. Please top it up.
alert-quota-translation = ⚠️ The credit at the service for translation is used up. I translate nothing for 10 minutes, then I try once. Please top it up.
alert-quota-speech = ⚠️ The credit at the service for speech is used up. I speak nothing for 10 minutes, then I try once. Please top it up.
alert-auth-token = ⚠️ The service refuses SERVICE_API_KEY and SERVICE_SECRET_KEY, so photos cannot be read. I try once every 10 minutes. Please check them.
alert-auth-x-secret = ⚠️ The service refuses SERVICE_X_SECRET, so there is no translation and no speech. I try once every 10 minutes. Please check it.
alert-database = ⚠️ The accounts cannot be written (is the disk full, or the database locked?). Until they can, I do nothing that costs money.

## Privacy

privacy =
    What I keep about you:
    • your settings, and the last text, so that /speak knows what to speak;
    • the results of what you asked for, for { $days ->
        [one] 1 day
       *[other] { $days } days
    }, so that nobody pays twice; of the photos and texts themselves only a fingerprint, by which I know them again;
    • a list of what was paid for: when, of what kind, how many characters; never the text;
    • a request that I could not finish, until it is done: at most 30 days;
    • for two days, which of my messages answers which of yours, and where an album’s photos are, so that I can follow your edits;
    • for as long as the results, where an album’s photos are, and the text of a long voice note, so that buttons and replies mean all of it.

    Photos and texts go to a service that reads, translates and speaks them. My logs hold no text of yours.

    /forget erases all of it.
forget-sure = Shall I erase your settings, your last text, and the results and accounts kept under your name? It cannot be undone.
forget-not-yours = Only the person who asked for this can press that button. /forget erases what is kept about you.
forgotten = It is erased. I know nothing about you any more.
button-forget = Erase everything

## The command menu

command-speak = Speak a text: Ü-Tsang, Khampa, Amdo, Chinese
command-ocr = Read the photo you reply to
command-tibetan = Translate into Tibetan
command-chinese = Translate into Chinese
command-auto = Translate both ways
command-dialect = Choose the Tibetan dialect
command-voice = Choose the Chinese voice
command-wylie = Tibetan into Wylie, Wylie into Tibetan
command-settings = Everything that can be set
command-stats = What the whole bot does and costs
command-usage = What was spent, and what is left today
command-cancel = Stop what I am doing for you
command-quota = The group's daily limit (admins)
command-listen = Translate every text (admins)
command-privacy = What I keep about you
command-forget = Erase what I keep about you
command-lang = Language · སྐད་ཡིག · 语言
command-help = How it works
command-start = Begin

## The profile

profile-description =
    I read, translate and speak Tibetan and Chinese.

    • Send me a photo, and I read the text in it.
    • Send me a text, and I translate it.
    • Send /speak, and I speak it: in Ü-Tsang, Kham or Amdo dialect, or in Chinese.

    In any chat: write @, my name and a text, and choose the translation.
profile-short-description = Reads, translates and speaks Tibetan and Chinese: photos, texts, voice notes.
