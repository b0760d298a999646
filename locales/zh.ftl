## The languages and varieties

language-tibetan = 藏文
language-chinese = 中文
utsang = 卫藏
khampa = 康巴
amdo = 安多
chinese = 普通话
voice-xiaoxiao = 晓晓（女声）
voice-yunjian = 云健（男声）

## First words

start =
    扎西德勒！我是“译师”（ལོ་ཙཱ་བ），互译藏文和中文。

    📷 发一张照片，我识别里面的文字。
    💬 发一段文字，我来翻译。
    🔊 回答下面的按钮可以朗读，有三种方言。

    免费使用。其他用法见 /help。
button-try-photo = 📷 用照片试试
help =
    📷 照片
    直接发来，我来识别。说明写“中文”，按中文识别。群里：回复 /ocr。
    PDF 也可以，说明写页码（3-12）。
    🔁 翻译
    藏文 ⇄ 中文。/tibetan、/chinese：只译成这种；/auto：双向。
    🔊 朗读
    /speak 加文字：卫藏、康巴、安多、全部、普通话。默认：/dialect、/voice
    🔤 威利转写和读音
    /wylie、/phonetics 加文字。
    💬 群和其他聊天
    回复消息：/translate、/speak。任何聊天里：@{ $username } 加文字。/listen on：全部翻译。
    ⚙️ 我的
    /settings、/lang、/usage 还剩多少
    /cancel、/privacy 保存什么、/forget
anything-else = 我能识别照片里的藏文或中文，互译这两种文字，并且朗读出来。用法见 /help。

## Translating

neither-script = 这里面没有藏文，也没有中文。请发其中一种文字，或者它的照片。
neither-script-nor-wylie = 这里面没有藏文，也没有中文。如果是藏文的威利转写，/wylie 可以把它变成藏文。
nothing-to-translate = 还没有可以翻译的文字。请在 /translate 后面加上文字，或者回复一段文字或一张照片并发送 /translate。
already-tibetan = 这已经是藏文，不用翻译。回复它并发送 /chinese，就译成中文。/auto 恢复双向翻译。
already-chinese = 这已经是中文，不用翻译。回复它并发送 /tibetan，就译成藏文。/auto 恢复双向翻译。
target-tibetan = 以后都译成藏文。/auto 恢复双向翻译。
target-chinese = 以后都译成中文。/auto 恢复双向翻译。
target-auto = 以后藏文译成中文，中文译成藏文。

## Reading

nothing-found-tibetan = 这张照片里没有找到藏文。拍得更清晰、更近，或以文件发送，也许有帮助；手写的字我认不出来。里面是中文吗？
nothing-found-chinese = 这张照片里没有找到中文。拍得更清晰、更近，或以文件发送，也许有帮助；手写的字我认不出来。里面是藏文吗？
nothing-found-both = 这张照片里没有找到文字，藏文和中文都没有。拍得更清晰、更近，或以文件发送，也许有帮助；手写的字我认不出来。
unlikely-tibetan = 这里几乎没有读出藏文字母，里面是中文吗？
unlikely-chinese = 这里几乎没有读出汉字，里面是藏文吗？
reading-tibetan = 以后按藏文识别照片。
reading-chinese = 以后按中文识别照片。
keep-reading-tibetan = 你已经两次让我按藏文识别照片。以后照片按哪种文字来识别？
keep-reading-chinese = 你已经两次让我按中文识别照片。以后照片按哪种文字来识别？
ocr-how = 请发一张照片，或者回复一张照片并发送 /ocr；/ocr both 按藏文和中文各识别一遍。照片按哪种文字来识别？
ocr-unknown = 我能识别藏文和中文。识别哪一种？
ocr-no-photo = 你回复的消息里没有照片。请回复一张照片并发送 /ocr。
photo-gone = 那张照片我已经看不到了，请再发一次。

## 文档

document-read = 读了 { $count } 页。
document-read-free = 其中 { $count } 页文件里本来就有文字，不计次数。
document-read-failed = 没读成的：{ $count } 页，原因写在那一页的位置。
document-left = 还没读：{ $count } 页。
document-translated = 译文在这里。
document-page-unreadable = 这一页打不开。请把它拍成照片发来。
document-unknown = 这种文件我读不了。请另存为 Word 文档（.docx）、PDF 或文本文件（.txt）再发来。字幕（.srt）和图片我也能读。
document-is-text = 这个文件本来就是文字。请用 /chinese、/tibetan 或 /speak 回复它。
document-nothing-found-tibetan = 这些页上没有找到藏文。是中文吗？
document-nothing-found-chinese = 这些页上没有找到中文。是藏文吗？

## Speaking

nothing-to-speak = 还没有可以朗读的文字。请在 /speak 后面加上文字，或者回复一段文字或一张照片并发送 /speak。
only-links = 这里只有链接、名字或标签，我不朗读它们。请发一段藏文或中文。
dialect-which = 用哪种方言为你朗读藏文？
dialect-unknown = 我会卫藏、康巴和安多三种方言。用哪一种？
dialect-chosen = 以后用{ $dialect }话朗读藏文。
voice-which = 朗读普通话用哪种声音？
voice-unknown = 普通话有两种声音。用哪一种？
voice-chosen = 以后用这个声音朗读普通话：{ $voice }。
voice-forbidden = 你的隐私设置不接收语音消息，所以改发音频文件。
voice-forbidden-group = 本群不允许发送语音消息，所以改发音频文件。
sound-forbidden = 本群既不允许我发送语音消息，也不允许发送音频文件。群管理员可以放开这些权限。
voice-page = 第 { $number } 页
aloud-offer = 🔊 我可以把每个回答也读出来：发一张照片或一段文字，听就可以了。下面的按钮就是你现在听到的三种方言，次序相同；请按你的方言。这样每个回答多用当天额度里的 1 次。
aloud-chosen = 以后每个回答我都读出来。请发一张照片或一段文字。
always-speak = 以后每张照片都直接按{ $language }识别、翻译并朗读，好吗？每张要用你当天额度里的 3 次。
always-speak-chosen = 以后每张照片我都直接识别、翻译并朗读。可以在 /settings 里更改。

## The language of the messages

lang-which = 界面用哪种语言？
lang-unknown = 我会下面这几种语言。用哪一种？
lang-chosen = 以后界面用简体中文。

## Wylie

wylie-how = 请在 /wylie 后面加上藏文或威利转写，或者回复一段文字并发送 /wylie。不计次数。
wylie-nothing = 这里面没有藏文，也没有威利转写。
picture-unread = 我还没有识别过这张图片里的藏文。请先回复它并发送 /ocr tibetan（算 1 次），然后再问一次，不计次数。
free-too-long = 一次太多了：转写威利和注音，我一次最多收 { $most } 个字符。请分成几段发来。
phonetics-how = 请在 /phonetics 后面加上藏文，或者回复一段藏文并发送 /phonetics：我写出它的读音。不计次数。
phonetics-nothing = 这里面没有藏文，写不出读音。
phonetics-chinese = 这是中文；我只能写藏文的读音。/tibetan 把它译成藏文，/speak 把它读出来。
phonetics-heading = 👄 近似拉萨音，按规则拼写：

## In any chat (inline mode)

inline-how = 请输入藏文或中文
inline-neither = 我只翻译藏文和中文
inline-untranslated = 暂时不能翻译，可以发送原文

## Settings

settings-language = 🌐 界面语言：{ $value }
settings-target = 🔁 翻译：{ $value }
settings-reading = 👁 照片里的文字：{ $value }
settings-dialect = 🗣 藏语方言：{ $value }
settings-voice = 🎙 普通话声音：{ $value }
settings-wylie = 🔤 识别出的藏文：{ $value }
settings-original = 📜 译文：{ $value }
settings-doubts = 🔎 可疑的藏文音节：{ $value }
settings-photo = 📷 收到照片：{ $value }
settings-spoken = 🔊 回答：{ $value }
settings-yours = 你的设置：
settings-group =
    { $chat ->
        [channel] 本频道
       *[other] 本群
    }的设置：
settings-target-auto = 双向
settings-target-tibetan = 译成藏文
settings-target-chinese = 译成中文
settings-wylie-on = 附威利转写
settings-wylie-off = 不附威利转写
settings-original-on = 附原文
settings-original-off = 不附原文
settings-doubts-on = 指出
settings-doubts-off = 不指出
settings-photo-read = 识别 · 1 次
settings-photo-translate = + 翻译 · 2 次
settings-photo-speak = + 朗读 · 3 次
settings-spoken-on = 也读出来 · 多 1 次
settings-spoken-off = 只用文字
settings-not-yours = 这是别人的设置。/settings 查看你自己的。
settings-of-group =
    { $chat ->
        [channel] 这是本频道的设置
       *[other] 这是本群的设置
    }，只有管理员可以更改。/settings 查看你自己的。

## Buttons and progress

button-translate = 🔁 翻译
button-translate-caption = 🔁 翻译说明文字
button-copy = 📋 复制
button-send = 📤 发送给…
button-more = 🔊 ⋯
button-slower = 🐢 慢一点
button-wylie = 🔤 威利转写
button-phonetics = 👄 读音
button-always = ✓ 以后都直接这样
button-read-tibetan = 👁 按藏文识别
button-read-chinese = 👁 按中文识别
button-try-again = ↻ 再试一次
button-rest = ↻ 其余部分 · { $calls } 次
button-add-to-group = 👥 加到群里
button-listen = 👂 翻译所有消息
button-private-chat = 💬 私聊继续
button-back = ← 返回
button-cancel = ✕ 取消
callback-too-old = 这个按钮已失效。请再发一次。
try-again-not-yours = 只有提出请求的人才能让我再试一次。
try-again-gone = 我正在重试，或者已经重试过，或者这个请求已过期。如果没有回答，请重新发送。
try-again-later = { $minutes } 分钟后可以再试。
cancel-not-yours = 只有提出请求的人才能停止它。
cancel-heard = 正在停止。之前的请求不再处理。
progress = 正在处理：{ $done }/{ $total }
progress-long = 还需要一点时间。
whole-text = 全文在这个文件里。
doubts = 🔎 请核对：{ $syllables }
cancelled = 已停止。之前的请求不再处理。
stopped = 已停止。做完的部分在上面。
nothing-to-cancel = 现在没有正在处理的请求。

## Groups

welcome =
    扎西德勒！我互译藏文和中文，识别照片里的文字，也能朗读。

    请回复一条消息并发送 /tibetan、/chinese、/ocr 或 /speak，或者提到我：@{ $username }。

    其他消息我看不到，除非我是管理员；看得到，也要等管理员发送 /listen on 才回应。
listen-groups-only = /listen 用于群：让我翻译群里所有的藏文和中文。
listen-admins-only = 只有本群的管理员可以决定我是否翻译所有消息。
listen-on = 以后我翻译这里所有的藏文和中文。/listen off 停止。
listen-on-deaf = 以后我翻译这里所有的藏文和中文。不过普通消息我现在看不到：请把我设为群管理员；或者请我的管理者在 @BotFather 关闭“Group Privacy”，再重新把我加进来。/listen off 停止。
listen-hears = 我现在是管理员，能看到这里的每条消息，藏文和中文的我都翻译。/listen off 停止。
listen-off = 以后我只回应命令、对我消息的回复和提到我的消息。
listen-is-on = 我正在翻译这里所有的藏文和中文。/listen off 停止。
listen-is-off = 我只回应命令、对我消息的回复和提到我的消息。/listen on 让我翻译所有的藏文和中文。
listen-wrong = 请发送 /listen on 或 /listen off；只管自己的消息，请发送 /listen skip 或 /listen me。
listen-skip = 在群里，就算我翻译所有消息，也不再翻译你的。/listen me 恢复。
listen-me = 在我翻译所有消息的群里，恢复翻译你的消息。

## Who may use the bot

access-stranger = 扎西德勒！我只为管理者同意的人服务。要向他们申请吗？
access-asked = 已经替你向管理者申请。他们同意后，我会马上告诉你。
access-waits = 你的申请还在等管理者答复。他们同意后，我会马上告诉你。
access-let-in = 欢迎！你可以使用了：请发一张照片或一段文字。用法见 /help。
access-group-waits = 本群还没有得到同意。我已经向管理者申请；如果一天之内没有答复，我就退出。
button-ask-access = 🔑 申请使用
access-request = 🔑 { $name } 申请使用。
access-request-group =
    🔑 { $chat ->
        [channel] 频道
       *[other] 群
    } { $name } 申请使用。申请人：{ $by }
button-let-in = ✓ 同意
button-block = ✕ 封禁
button-take-back = ↩ 撤回
access-let-in-by = ✓ { $by } 已同意 { $name } 使用。
access-blocked-by = ✕ { $by } 已封禁 { $name }。
access-request-gone = 这个申请已经撤回，或者已过期。仍要同意，请发送 /allow { $id }
access-how = 是谁？请回复对方的消息，或者回复你转发给我的消息，并发送 /allow 或 /block；也可以在后面写上对方的编号或 @用户名。在群里只发命令，指的就是这个群。
access-name-unknown = 我没有见过这个 @用户名。请回复对方的消息，或者写上编号。
access-of-admin = 管理者（ADMIN_IDS）始终可以使用，不能封禁。
access-of-bot = 这是机器人。我从不回应机器人，所以不用同意，也不用封禁。
access-of-channel = 这是以频道的名义写的。如果指的是频道本身，请发送 /allow { $id } 或 /block { $id }。
access-of-hidden = Telegram 不告诉我这是谁最先写的。请写上对方的编号或 @用户名，或者请对方给我发一条消息。
invite =
    打开这个链接的人就可以使用：
    { $link }

    用这个链接把我加进群，全群都可以使用：
    { $group }

    两个链接一共可以用 { $uses } 次，{ $days } 天内有效。拿到链接的人都能用，请只发给你想邀请的人。
invite-how = 请在 /invite 后面写上可以用几次（最多 { $uses } 次）和几天内有效（最多 { $days } 天）：/invite 20 7
invite-words = “译师”互译藏文和中文，识别照片里的文字，也能朗读。打开这个链接就可以使用。
button-invite-person = 📨 邀请朋友
button-invite-group = 📨 邀请群
invitation-over = 这个邀请已经用完，或者过期了。要申请使用吗？
members =
    { $list }

    ✓ 已同意 · ✕ 已封禁 · ? 申请中
    名字（编号）· 日期（UTC）· 由谁决定
    点数字：同意、封禁或撤回。
members-none = 还没有同意或封禁任何人。
members-forgotten = 一位已删除自己资料的用户
button-members-newer = ← 较新
button-members-older = 较早 →
admins-only = 这个命令只给我的管理者使用。
admins-private-only = 请在私聊里发给我：这不该让所有人看到。
paused = 我暂停服务一会儿，请稍后再来。
pause-begun =
    ⏸ 从现在起我只为管理者服务。其他人会看到：

    { $text }

    /resume 恢复。
pause-ended = ▶ 我又为大家服务了。
pause-none = 现在没有暂停。/pause 可以暂停。
inline-stranger = 请先申请使用
guest-wait = ⏳ 请稍等……
guest-how = 请在藏文或中文前提到我，或者回复这样的文字、照片并提到我。
guest-stranger = 我只为管理者同意的人服务。请发消息给 @{ $username } 申请。
button-speak-there = 🔊 听朗读
button-whole = 看全文
inline-paused = 暂停服务

## When something fails

failure-auth = 后台服务暂时不让我使用。这不是你的问题，要由我的管理者来解决。请稍后再试。
failure-auth-until = 后台服务暂时不让我使用。这不是你的问题，要由我的管理者来解决。{ $minutes } 分钟后可以再试。
failure-quota = 后台服务的额度用完了，要由我的管理者来充值。请稍后再试。
failure-quota-until = 后台服务的额度用完了，要由我的管理者来充值。{ $minutes } 分钟后可以再试。
failure-private-letters = 这段藏文里有些字母用的是旧软件的私有编码，我读不出来。请发文字的照片或 PDF。
failure-too-long = 这段文字对服务来说太长了。请分成几段发来。
failure-bad-request = 服务处理不了这段文字或这张图片。请换一个，或者只发其中一部分。
failure-unavailable = 后台服务现在没有正常回应。请过几分钟再试。
failure-unavailable-until = 后台服务现在没有正常回应。{ $seconds } 秒后可以再试。
failure-in-doubt = 服务用时太久，我不知道它做完了没有。要再试一次吗？
failure-in-doubt-until = 服务用时太久，我不知道它做完了没有。{ $seconds } 秒后可以再试。
failure-undelivered = 回答发了两次，每次与 Telegram 的连接都断了，可能没有送到。再发一次不计次数。
failure-cancelled = 已取消。
failure-image-unreadable = 这张图片打不开：可能已损坏，或者是我不认识的格式。请作为照片发送，或者用 JPG、PNG。
failure-image-too-large = 这张图片的像素太多了。请发小一点的。
failure-file-too-large = 我不能接收 { $most } MB 以上的文件。请作为照片发送，或者发小一点的文件。
failure-document-encrypted = 这个 PDF 要用正确的密码才能打开。请在说明文字里写上密码再发一次，例如：密码：1234。我不会保存密码。
failure-document-page-blank = 这一页是空白的，或者文件里没有它的字体。如果你能看到文字，请拍照或截图发给我。
failure-document-unreadable = 我打不开这个文件：它已损坏，或者内容与文件名不符。请用 PDF 或 UTF-8 文本文件发送。
failure-document-too-large = 打开这个 PDF 需要太多内存或时间。请把各页拍成照片发来，或发送简单一些的文件。
failure-document-too-long = 这个 PDF 的文字太多，一次读不完。请在说明文字里少选几页，例如 1-50。
failure-document-no-such-pages = 这个 PDF 没有这些页：它共有 { $count } 页。请在说明文字里写明页码，例如 3-12 或 1,3,7-9。
failure-document-too-many-pages = 一次太多了：这个 PDF 有 { $count } 页，我一次最多读 { $most } 页。请在说明文字里写明页码，例如 1-{ $most }。
failure-text-file-too-large = 我只收 1 MB 以内的文本文件。请分成小一点的发来。
failure-file-gone = Telegram 已经不能把这个文件给我了。请再发一次。
failure-file-unfetched = Telegram 暂时没有把这个文件给我。请稍后再试。
failure-file-unserved = 按现在的设置，我无法从 Telegram 取得文件。这不是你的问题，要由我的管理者来解决。请稍后再试。
failure-audio = 这次的语音不完整，所以没有发送。请再试一次。
failure-database = 我现在无法记账，所以不能做这件事，已通知我的管理者。请稍后再试。
limit-person = 你今天的次数用完了。
limit-person-few = 这需要的次数比你今天剩下的多（还剩 { $left } 次，共 { $limit } 次）。短一点的也许可以。
limit-group = 本群今天的次数用完了。
limit-group-few = 这需要的次数比本群今天剩下的多（还剩 { $left } 次，共 { $limit } 次）。短一点的也许可以。
limit-group-none = 本群的管理员没有给我留次数（/quota）。请和我私聊，我来做。
limit-bot = 今天所有人的次数都用完了。
limit-bot-few = 这需要的次数比今天所有人还剩的多（还剩 { $left } 次）。短一点的也许可以。
starts-again = UTC 时间 00:00 重新开始，距现在还有 { $hours } 小时 { $minutes } 分钟。
given-up = 对不起，这个请求我试了几次都没有成功，已经记录下来，交给我的管理者。
failure-unforeseen = 我这边出了问题，已经记录下来。请再试一次。

## Asking before it costs

costly = 这件事要用 { $calls } 次。
costly-at-least = 这件事至少要用 { $calls } 次。
costly-aloud = 这要用掉当天很多次额度。继续吗？第一个按钮“继续”是“是”，第二个“不用了”是“不”。
left-person = 你今天还可用：{ $left } 次（共 { $limit } 次）
left-group =
    { $chat ->
        [channel] 本频道
       *[other] 本群
    }今天还可用：{ $left } 次（共 { $limit } 次）
left-everybody = 所有人今天还可用：{ $left } 次
costly-sure = 要继续吗？
costly-not-done = 好的，这件事不做了。
costly-not-yours = 只有提出请求的人才能决定。
costly-gone = 这次询问已失效：已有回答、已撤回，或时间太久。如果没有收到答复，请重新提出。
button-go-on = ✓ 继续
button-no = ✕ 不用了

## Money

usage-person =
    一张照片、一段文字或一条语音算 1 次，长的算多次。
    • 今天：{ $today }
    • 本月：{ $month }
usage-group =
    { $chat ->
        [channel] 本频道
       *[other] 本群
    }的次数：
    • 今天：{ $today }
    • 本月：{ $month }
for-free = 你免费使用。
usage-calls = { $calls } 次
usage-person-of = { $calls } 次（你有 { $limit } 次）
usage-group-of = { $calls } 次（共 { $limit } 次）
with-cost = { $words } · { $cost } 元
usage-unlimited = 没有每日限制。
quota-groups-only = /quota 用于群：设置本群每天最多使用几次。
quota-admins-only = 只有本群的管理员可以更改每日限制。
quota-present =
    { $chat ->
        [channel] 本频道
       *[other] 本群
    }每天最多使用 { $limit } 次，今天还剩 { $left } 次。/quota 加数字可以调低，/quota off 取消。
quota-none =
    { $chat ->
        [channel] 本频道
       *[other] 本群
    }没有每日限制。/quota 加数字可以设置。
quota-set =
    以后{ $chat ->
        [channel] 本频道
       *[other] 本群
    }每天最多使用 { $limit } 次，今天还剩 { $left } 次。/quota off 取消。
quota-wrong = 请发送 0 到 { $most } 之间的整数，例如 /quota 50，或者 /quota off。
quota-wrong-unbounded = 请发送 0 以上的整数，例如 /quota 50，或者 /quota off。
stats-admins-only = /stats 只给管理者使用。如果你就是管理者：你的编号是 { $id }，请填入 ADMIN_IDS。
stats-days = 天
stats-uses = 使用次数
stats-yuan = 元
stats-photos = 照片
stats-texts = 翻译
stats-speech = 朗读
stats-people = 人
stats-groups = 群
stats-budget = 今天已花 { $spent } 元，预算 { $budget } 元（{ $percent } %）
stats-bars = { $days } 天
stats-note = 第一列是今天（按 UTC 日期）。
stats-dead-letters = 没能完成的请求：{ $count } 个
stats-version = Lotsawa { $version } 版
alert-quota-recognition = ⚠️ 后台服务的识别额度已用完。10 分钟内不再使用，之后试一次。请充值，然后按“现在就试”。
alert-quota-translation = ⚠️ 后台服务的翻译额度已用完。10 分钟内不再使用，之后试一次。请充值，然后按“现在就试”。
alert-quota-speech = ⚠️ 后台服务的朗读额度已用完。10 分钟内不再使用，之后试一次。请充值，然后按“现在就试”。
button-try-now = ▶ 现在就试
try-now-done = 下一个请求就会去试。
try-now-needless = 现在没有暂停，所有请求都会马上去试。
alert-auth-token = ⚠️ 后台服务不接受 SERVICE_API_KEY 和 SERVICE_SECRET_KEY，所以不能识别照片。每 10 分钟试一次。请检查。
alert-auth-x-secret = ⚠️ 后台服务不接受 SERVICE_X_SECRET，所以不能翻译和朗读。每 10 分钟试一次。请检查。
alert-database = ⚠️ 账本无法写入（磁盘满了，还是数据库被锁住了？）。恢复之前不做要花钱的事。
alert-budget-80 = ⚠️ 今天的预算 { $budget } 元，已用 { $spent } 元。用完之后，我要到 UTC 时间 00:00 才恢复。预算由 DAILY_BUDGET_YUAN 设置。
alert-budget-100 = ⚠️ 今天的预算用完了：{ $budget } 元，已用 { $spent } 元。UTC 时间 00:00 之前，要花钱的事我只为管理者做。预算由 DAILY_BUDGET_YUAN 设置。
alert-files = ⚠️ 我的 Bot API 服务器不提供文件，所以不能识别照片。要设置什么（TELEGRAM_FILES_DIR），见日志，或者运行 npm run doctor。

## Privacy

privacy =
    我保存的关于你的内容：
    • 你的设置和最后一段文字，这样 /speak 才知道朗读什么；
    • 你请求过的结果，保存 { $days } 天，免得重复去做；照片和原文本身不在其中，只留一个用来辨认的“指纹”；
    • 使用记录：时间、种类、字数，从不记录文字本身；
    • 我没能完成的请求，直到完成为止，最多 30 天；
    • 两天内，我的哪条消息回应你的哪条消息，相册照片的位置，以及被 Telegram 拆成几条的长文，这样你修改消息时我也跟着修改；
    • 与结果保存得一样久：照片和文件的位置、长语音的全文、照片的说明，这样按钮和回复对应的是全部内容；
    • 如果有人决定过你能不能使用：你的名字和编号、决定了什么、由谁、何时；还有你的 @用户名，保存 90 天，方便管理者找到你。

    照片和文字会发送给一个负责识别、翻译和朗读的服务。我的日志里没有你的文字。

    /forget 可以全部删除；只有今天用了多少次会留到 UTC 时间 00:00，不写明是谁，免得有人一天领两份。只有“已同意”或“已封禁”会留下，用一个看不出是谁的代码保存。

    Lotsawa { $version }
forget-sure = 要删除你的设置、最后一段文字，以及你名下的结果和记录吗？删除后不能恢复。今天用了多少次会留到 UTC 时间 00:00，只是一个不写明是谁的数字，免得有人一天领两份。
forget-not-yours = 只有提出请求的人才能按这个按钮。/forget 可以删除关于你的内容。
forgotten = 已经删除。我不再保存任何关于你的内容；只有今天用了多少次会留到 UTC 时间 00:00，不写明是谁。
button-forget = 全部删除

## The command menu

command-speak = 朗读：卫藏、康巴、安多、普通话
command-ocr = 识别所回复照片里的文字
command-translate = 翻译你回复的消息
command-dialect = 选择藏语方言
command-voice = 选择普通话声音
command-wylie = 藏文与威利转写（Wylie）互换
command-phonetics = 用拉丁字母写出藏文读音
command-settings = 所有设置
command-stats = 整个机器人的用量和花费
command-invite = 生成邀请链接
command-allow = 同意某人或某群使用
command-block = 封禁某人或某群
command-members = 谁已同意、已封禁、在申请
command-pause = 暂停服务，管理者除外
command-resume = 恢复服务
command-usage = 已用次数和今天还剩的次数
command-cancel = 停止正在为你处理的请求
command-quota = 本群的每日限制（管理员）
command-listen = 翻译所有消息（管理员）
command-privacy = 我保存了什么
command-forget = 删除关于你的内容
command-lang = 语言 · སྐད་ཡིག · Language
command-help = 使用方法

## The profile

profile-description =
    我能识别、翻译和朗读藏文与中文，免费使用。

    • 发一张照片，我识别里面的文字。
    • 发一段文字，我来翻译。
    • 发送 /speak，我来朗读：卫藏、康巴、安多方言，或者普通话。

    在任何聊天里：输入 @、我的名字和文字，选择译文发送。
profile-short-description = 识别、翻译和朗读藏文与中文：照片、文字、语音。
