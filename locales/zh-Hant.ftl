## The languages and varieties

language-tibetan = 藏文
language-chinese = 中文
utsang = 衛藏
khampa = 康巴
amdo = 安多
chinese = 普通話
voice-xiaoxiao = 曉曉（女聲）
voice-yunjian = 雲健（男聲）

## First words

start =
    扎西德勒！我是「譯師」（ལོ་ཙཱ་བ），互譯藏文和中文。

    📷 傳一張照片，我辨識裡面的文字。
    💬 傳一段文字，我來翻譯。
    🔊 回答下面的按鈕可以朗讀，有三種方言。

    免費使用。其他用法請看 /help。
button-try-photo = 📷 用照片試試
help =
    📷 照片
    直接傳來，我來辨識。說明寫「中文」，就辨識中文。群組裡：回覆 /ocr。
    PDF 也可以，說明寫頁碼（3-12）。
    🔁 翻譯
    藏文 ⇄ 中文。/tibetan、/chinese：只譯成這種；/auto：雙向。
    🔊 朗讀
    /speak 加文字：衛藏、康巴、安多、全部、普通話。預設：/dialect、/voice
    🔤 威利轉寫和讀音
    /wylie、/phonetics 加文字。
    💬 群組和其他聊天
    回覆訊息：/translate、/speak。任何聊天裡：@{ $username } 加文字。/listen on：全部翻譯。
    ⚙️ 我的
    /settings、/lang、/usage 還剩多少
    /cancel、/privacy 保存什麼、/forget
anything-else = 我能辨識照片裡的藏文或中文，互譯這兩種文字，並且朗讀出來。用法請看 /help。

## Translating

neither-script = 這裡面沒有藏文，也沒有中文。請傳其中一種文字，或者它的照片。
neither-script-nor-wylie = 這裡面沒有藏文，也沒有中文。如果是藏文的威利轉寫，/wylie 可以把它變成藏文。
nothing-to-translate = 還沒有可以翻譯的文字。請在 /translate 後面加上文字，或者回覆一段文字或一張照片並傳送 /translate。
already-tibetan = 這已經是藏文，不用翻譯。回覆它並傳送 /chinese，就譯成中文。/auto 恢復雙向翻譯。
already-chinese = 這已經是中文，不用翻譯。回覆它並傳送 /tibetan，就譯成藏文。/auto 恢復雙向翻譯。
target-tibetan = 以後都譯成藏文。/auto 恢復雙向翻譯。
target-chinese = 以後都譯成中文。/auto 恢復雙向翻譯。
target-auto = 以後藏文譯成中文，中文譯成藏文。

## Reading

nothing-found-tibetan = 這張照片裡沒有找到藏文。拍得更清晰、更近，或以檔案傳送，也許有幫助；手寫的字我認不出來。裡面是中文嗎？
nothing-found-chinese = 這張照片裡沒有找到中文。拍得更清晰、更近，或以檔案傳送，也許有幫助；手寫的字我認不出來。裡面是藏文嗎？
nothing-found-both = 這張照片裡沒有找到文字，藏文和中文都沒有。拍得更清晰、更近，或以檔案傳送，也許有幫助；手寫的字我認不出來。
unlikely-tibetan = 這裡幾乎沒有讀出藏文字母，裡面是中文嗎？
unlikely-chinese = 這裡幾乎沒有讀出漢字，裡面是藏文嗎？
reading-tibetan = 以後照片當作藏文辨識。
reading-chinese = 以後照片當作中文辨識。
keep-reading-tibetan = 你已經兩次讓我把照片當作藏文辨識。以後照片要當作哪種文字來辨識？
keep-reading-chinese = 你已經兩次讓我把照片當作中文辨識。以後照片要當作哪種文字來辨識？
ocr-how = 請傳一張照片，或者回覆一張照片並傳送 /ocr；/ocr both 按藏文和中文各辨識一遍。照片要當作哪種文字來辨識？
ocr-unknown = 我能辨識藏文和中文。要辨識哪一種？
ocr-no-photo = 你回覆的訊息裡沒有照片。請回覆一張照片並傳送 /ocr。
photo-gone = 那張照片我已經看不到了，請再傳一次。

## 文件

document-read = 讀了 { $count } 頁。
document-read-free = 其中 { $count } 頁檔案裡本來就有文字，不計次數。
document-read-failed = 沒讀成的：{ $count } 頁，原因寫在那一頁的位置。
document-left = 還沒讀：{ $count } 頁。
document-translated = 譯文在這裡。
document-page-unreadable = 這一頁打不開。請把它拍成照片傳來。
document-unknown = 這種檔案我讀不了。請另存成 Word 檔（.docx）、PDF 或文字檔（.txt）再傳來。字幕（.srt）和圖片我也能讀。
document-is-text = 這個檔案本來就是文字。請用 /chinese、/tibetan 或 /speak 回覆它。
document-nothing-found-tibetan = 這些頁上沒有找到藏文。是中文嗎？
document-nothing-found-chinese = 這些頁上沒有找到中文。是藏文嗎？

## Speaking

nothing-to-speak = 還沒有可以朗讀的文字。請在 /speak 後面加上文字，或者回覆一段文字或一張照片並傳送 /speak。
only-links = 這裡只有連結、名字或標籤，我不朗讀它們。請傳一段藏文或中文。
dialect-which = 要用哪種方言為你朗讀藏文？
dialect-unknown = 我會衛藏、康巴和安多三種方言。要用哪一種？
dialect-chosen = 以後用{ $dialect }話朗讀藏文。
voice-which = 朗讀普通話要用哪種聲音？
voice-unknown = 普通話有兩種聲音。要用哪一種？
voice-chosen = 以後用這個聲音朗讀普通話：{ $voice }。
voice-forbidden = 你的隱私設定不接收語音訊息，所以改傳音訊檔案。
voice-forbidden-group = 這個群組不允許傳送語音訊息，所以改傳音訊檔案。
sound-forbidden = 這個群組既不允許我傳送語音訊息，也不允許傳送音訊檔案。群組管理員可以開放這些權限。
voice-page = 第 { $number } 頁
aloud-offer = 🔊 我可以把每個回答也讀出來：傳一張照片或一段文字，聽就可以了。下面的按鈕就是你現在聽到的三種方言，次序相同；請按你的方言。這樣每個回答多用當天額度裡的 1 次。
aloud-chosen = 以後每個回答我都讀出來。請傳一張照片或一段文字。
always-speak = 以後每張照片都直接按{ $language }辨識、翻譯並朗讀，好嗎？每張要用你當天額度裡的 3 次。
always-speak-chosen = 以後每張照片我都直接辨識、翻譯並朗讀。可以在 /settings 裡更改。

## The language of the messages

lang-which = 介面要用哪種語言？
lang-unknown = 我會下面這幾種語言。要用哪一種？
lang-chosen = 以後介面用繁體中文。

## Wylie

wylie-how = 請在 /wylie 後面加上藏文或威利轉寫，或者回覆一段文字並傳送 /wylie。不計次數。
wylie-nothing = 這裡面沒有藏文，也沒有威利轉寫。
picture-unread = 我還沒有辨識過這張圖片裡的藏文。請先回覆它並傳送 /ocr tibetan（算 1 次），然後再問一次，不計次數。
free-too-long = 一次太多了：轉寫威利和注音，我一次最多收 { $most } 個字符。請分成幾段傳來。
phonetics-how = 請在 /phonetics 後面加上藏文，或者回覆一段藏文並傳送 /phonetics：我寫出它的讀音。不計次數。
phonetics-nothing = 這裡面沒有藏文，寫不出讀音。
phonetics-chinese = 這是中文；我只能寫藏文的讀音。/tibetan 把它譯成藏文，/speak 把它讀出來。
phonetics-heading = 👄 近似拉薩音，按規則拼寫：

## In any chat (inline mode)

inline-how = 請輸入藏文或中文
inline-neither = 我只翻譯藏文和中文
inline-untranslated = 暫時無法翻譯，可以傳送原文

## Settings

settings-language = 🌐 介面語言：{ $value }
settings-target = 🔁 翻譯：{ $value }
settings-reading = 👁 照片裡的文字：{ $value }
settings-dialect = 🗣 藏語方言：{ $value }
settings-voice = 🎙 普通話聲音：{ $value }
settings-wylie = 🔤 辨識出的藏文：{ $value }
settings-original = 📜 譯文：{ $value }
settings-doubts = 🔎 可疑的藏文音節：{ $value }
settings-photo = 📷 收到照片：{ $value }
settings-spoken = 🔊 回答：{ $value }
settings-yours = 你的設定：
settings-group =
    { $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }的設定：
settings-target-auto = 雙向
settings-target-tibetan = 譯成藏文
settings-target-chinese = 譯成中文
settings-wylie-on = 附威利轉寫
settings-wylie-off = 不附威利轉寫
settings-original-on = 附原文
settings-original-off = 不附原文
settings-doubts-on = 指出
settings-doubts-off = 不指出
settings-photo-read = 辨識 · 1 次
settings-photo-translate = + 翻譯 · 2 次
settings-photo-speak = + 朗讀 · 3 次
settings-spoken-on = 也讀出來 · 多 1 次
settings-spoken-off = 只用文字
settings-not-yours = 這是別人的設定。/settings 查看你自己的。
settings-of-group =
    { $chat ->
        [channel] 這是這個頻道的設定
       *[other] 這是這個群組的設定
    }，只有管理員可以更改。/settings 查看你自己的。

## Buttons and progress

button-translate = 🔁 翻譯
button-translate-caption = 🔁 翻譯說明文字
button-copy = 📋 複製
button-send = 📤 傳送給…
button-more = 🔊 ⋯
button-slower = 🐢 慢一點
button-wylie = 🔤 威利轉寫
button-phonetics = 👄 讀音
button-always = ✓ 以後都直接這樣
button-read-tibetan = 👁 當作藏文辨識
button-read-chinese = 👁 當作中文辨識
button-try-again = ↻ 再試一次
button-rest = ↻ 其餘部分 · { $calls } 次
button-add-to-group = 👥 加到群組
button-listen = 👂 翻譯所有訊息
button-private-chat = 💬 私訊繼續
button-back = ← 返回
button-cancel = ✕ 取消
callback-too-old = 這個按鈕已失效。請再傳一次。
try-again-not-yours = 只有提出請求的人才能讓我再試一次。
try-again-gone = 我正在重試，或者已經重試過，或者這個請求已過期。如果沒有回答，請重新傳送。
try-again-later = { $minutes } 分鐘後可以再試。
cancel-not-yours = 只有提出請求的人才能停止它。
cancel-heard = 正在停止。之前的請求不再處理。
progress = 正在處理：{ $done }/{ $total }
progress-long = 還需要一點時間。
whole-text = 全文在這個檔案裡。
doubts = 🔎 請核對：{ $syllables }
cancelled = 已停止。之前的請求不再處理。
stopped = 已停止。做完的部分在上面。
nothing-to-cancel = 現在沒有正在處理的請求。

## Groups

welcome =
    扎西德勒！我互譯藏文和中文，辨識照片裡的文字，也能朗讀。

    請回覆一則訊息並傳送 /tibetan、/chinese、/ocr 或 /speak，或者提及我：@{ $username }。

    其他訊息我看不到，除非我是管理員；看得到，也要等管理員傳送 /listen on 才回應。
listen-groups-only = /listen 用於群組：讓我翻譯群組裡所有的藏文和中文。
listen-admins-only = 只有這個群組的管理員可以決定我是否翻譯所有訊息。
listen-on = 以後我翻譯這裡所有的藏文和中文。/listen off 停止。
listen-on-deaf = 以後我翻譯這裡所有的藏文和中文。不過一般訊息我現在看不到：請把我設為群組管理員；或者請我的管理者在 @BotFather 關閉「Group Privacy」，再重新把我加進來。/listen off 停止。
listen-hears = 我現在是管理員，能看到這裡的每則訊息，藏文和中文的我都翻譯。/listen off 停止。
listen-off = 以後我只回應指令、對我訊息的回覆和提及我的訊息。
listen-is-on = 我正在翻譯這裡所有的藏文和中文。/listen off 停止。
listen-is-off = 我只回應指令、對我訊息的回覆和提及我的訊息。/listen on 讓我翻譯所有的藏文和中文。
listen-wrong = 請傳送 /listen on 或 /listen off；只管自己的訊息，請傳送 /listen skip 或 /listen me。
listen-skip = 在群組裡，就算我翻譯所有訊息，也不再翻譯你的。/listen me 恢復。
listen-me = 在我翻譯所有訊息的群組裡，恢復翻譯你的訊息。

## Who may use the bot

access-stranger = 扎西德勒！我只為管理者同意的人服務。要向他們申請嗎？
access-asked = 已經替你向管理者申請。他們同意後，我會馬上告訴你。
access-waits = 你的申請還在等管理者答覆。他們同意後，我會馬上告訴你。
access-let-in = 歡迎！你可以使用了：請傳一張照片或一段文字。用法請看 /help。
access-group-waits = 這個群組還沒有得到同意。我已經向管理者申請；如果一天之內沒有答覆，我就退出。
button-ask-access = 🔑 申請使用
access-request = 🔑 { $name } 申請使用。
access-request-group =
    🔑 { $chat ->
        [channel] 頻道
       *[other] 群組
    } { $name } 申請使用。申請人：{ $by }
button-let-in = ✓ 同意
button-block = ✕ 封鎖
button-take-back = ↩ 撤回
access-let-in-by = ✓ { $by } 已同意 { $name } 使用。
access-blocked-by = ✕ { $by } 已封鎖 { $name }。
access-request-gone = 這個申請已經撤回，或者已過期。仍要同意，請傳送 /allow { $id }
access-how = 是誰？請回覆對方的訊息，或者回覆你轉傳給我的訊息，並傳送 /allow 或 /block；也可以在後面寫上對方的編號或 @使用者名稱。在群組裡只傳指令，指的就是這個群組。
access-name-unknown = 我沒有見過這個 @使用者名稱。請回覆對方的訊息，或者寫上編號。
access-of-admin = 管理者（ADMIN_IDS）始終可以使用，不能封鎖。
access-of-bot = 這是機器人。我從不回應機器人，所以不用同意，也不用封鎖。
access-of-channel = 這是以頻道的名義寫的。如果指的是頻道本身，請傳送 /allow { $id } 或 /block { $id }。
access-of-hidden = Telegram 不告訴我這是誰最先寫的。請寫上對方的編號或 @使用者名稱，或者請對方傳一則訊息給我。
invite =
    打開這個連結的人就可以使用：
    { $link }

    用這個連結把我加進群組，整個群組都可以使用：
    { $group }

    兩個連結一共可以用 { $uses } 次，{ $days } 天內有效。拿到連結的人都能用，請只傳給你想邀請的人。
invite-how = 請在 /invite 後面寫上可以用幾次（最多 { $uses } 次）和幾天內有效（最多 { $days } 天）：/invite 20 7
invite-words = 「譯師」互譯藏文和中文，辨識照片裡的文字，也能朗讀。打開這個連結就可以使用。
button-invite-person = 📨 邀請朋友
button-invite-group = 📨 邀請群組
invitation-over = 這個邀請已經用完，或者過期了。要申請使用嗎？
members =
    { $list }

    ✓ 已同意 · ✕ 已封鎖 · ? 申請中
    名字（編號）· 日期（UTC）· 由誰決定
    點數字：同意、封鎖或撤回。
members-none = 還沒有同意或封鎖任何人。
members-forgotten = 一位已刪除自己資料的使用者
button-members-newer = ← 較新
button-members-older = 較舊 →
admins-only = 這個指令只給我的管理者使用。
admins-private-only = 請私訊我：這不該讓所有人看到。
paused = 我暫停服務一會兒，請稍後再來。
pause-begun =
    ⏸ 從現在起我只為管理者服務。其他人會看到：

    { $text }

    /resume 恢復。
pause-ended = ▶ 我又為大家服務了。
pause-none = 現在沒有暫停。/pause 可以暫停。
inline-stranger = 請先申請使用
guest-wait = ⏳ 請稍等……
guest-how = 請在藏文或中文前提及我，或者回覆這樣的文字、照片並提及我。
guest-stranger = 我只為管理者同意的人服務。請傳訊息給 @{ $username } 申請。
button-speak-there = 🔊 聽朗讀
button-whole = 看全文
inline-paused = 暫停服務

## When something fails

failure-auth = 後台服務暫時不讓我使用。這不是你的問題，要由我的管理者來解決。請稍後再試。
failure-auth-until = 後台服務暫時不讓我使用。這不是你的問題，要由我的管理者來解決。{ $minutes } 分鐘後可以再試。
failure-quota = 後台服務的額度用完了，要由我的管理者來儲值。請稍後再試。
failure-quota-until = 後台服務的額度用完了，要由我的管理者來儲值。{ $minutes } 分鐘後可以再試。
failure-private-letters = 這段藏文裡有些字母用的是舊軟體的私有編碼，我讀不出來。請傳文字的照片或 PDF。
failure-too-long = 這段文字對服務來說太長了。請分成幾段傳來。
failure-bad-request = 服務處理不了這段文字或這張圖片。請換一個，或者只傳其中一部分。
failure-unavailable = 後台服務現在沒有正常回應。請過幾分鐘再試。
failure-unavailable-until = 後台服務現在沒有正常回應。{ $seconds } 秒後可以再試。
failure-in-doubt = 服務花的時間太久，我不知道它做完了沒有。要再試一次嗎？
failure-in-doubt-until = 服務花的時間太久，我不知道它做完了沒有。{ $seconds } 秒後可以再試。
failure-undelivered = 回答傳了兩次，每次與 Telegram 的連線都斷了，可能沒有送到。再傳一次不計次數。
failure-cancelled = 已取消。
failure-image-unreadable = 這張圖片打不開：可能已損壞，或者是我不認得的格式。請以照片傳送，或者用 JPG、PNG。
failure-image-too-large = 這張圖片的像素太多了。請傳小一點的。
failure-file-too-large = 我不能接收 { $most } MB 以上的檔案。請以照片傳送，或者傳小一點的檔案。
failure-document-encrypted = 這個 PDF 要用正確的密碼才能打開。請在說明文字裡寫上密碼再傳一次，例如：密碼：1234。我不會保存密碼。
failure-document-page-blank = 這一頁是空白的，或者檔案裡沒有它的字型。如果你看得到文字，請拍照或截圖傳給我。
failure-document-unreadable = 我打不開這個檔案：它已損壞，或者內容與檔名不符。請用 PDF 或 UTF-8 文字檔傳送。
failure-document-too-large = 打開這個 PDF 需要太多記憶體或時間。請把各頁拍成照片傳來，或傳送簡單一些的檔案。
failure-document-too-long = 這個 PDF 的文字太多，一次讀不完。請在說明文字裡少選幾頁，例如 1-50。
failure-document-no-such-pages = 這個 PDF 沒有這些頁：它共有 { $count } 頁。請在說明文字裡寫明頁碼，例如 3-12 或 1,3,7-9。
failure-document-too-many-pages = 一次太多了：這個 PDF 有 { $count } 頁，我一次最多讀 { $most } 頁。請在說明文字裡寫明頁碼，例如 1-{ $most }。
failure-text-file-too-large = 我只收 1 MB 以內的文字檔。請分成幾個小檔案傳來。
failure-file-gone = Telegram 已經不能把這個檔案給我了。請再傳一次。
failure-file-unfetched = Telegram 暫時沒有把這個檔案給我。請稍後再試。
failure-file-unserved = 依現在的設定，我無法從 Telegram 取得檔案。這不是你的問題，要由我的管理者來解決。請稍後再試。
failure-audio = 這次的語音不完整，所以沒有傳送。請再試一次。
failure-database = 我現在無法記帳，所以不能做這件事，已通知我的管理者。請稍後再試。
limit-person = 你今天的次數用完了。
limit-person-few = 這需要的次數比你今天剩下的多（還剩 { $left } 次，共 { $limit } 次）。短一點的也許可以。
limit-group = 這個群組今天的次數用完了。
limit-group-few = 這需要的次數比這個群組今天剩下的多（還剩 { $left } 次，共 { $limit } 次）。短一點的也許可以。
limit-group-none = 這個群組的管理員沒有給我留次數（/quota）。請私訊我，我來做。
limit-bot = 今天所有人的次數都用完了。
limit-bot-few = 這需要的次數比今天所有人還剩的多（還剩 { $left } 次）。短一點的也許可以。
starts-again = UTC 時間 00:00 重新開始，距現在還有 { $hours } 小時 { $minutes } 分鐘。
given-up = 對不起，這個請求我試了幾次都沒有成功，已經記錄下來，轉告我的管理者。
failure-unforeseen = 我這邊出了問題，已經記錄下來。請再試一次。

## Asking before it costs

costly = 這件事要用 { $calls } 次。
costly-at-least = 這件事至少要用 { $calls } 次。
costly-aloud = 這要用掉當天很多次額度。繼續嗎？第一個按鈕「繼續」是「是」，第二個「不用了」是「不」。
left-person = 你今天還可用：{ $left } 次（共 { $limit } 次）
left-group =
    { $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }今天還可用：{ $left } 次（共 { $limit } 次）
left-everybody = 所有人今天還可用：{ $left } 次
costly-sure = 要繼續嗎？
costly-not-done = 好的，這件事不做了。
costly-not-yours = 只有提出請求的人才能決定。
costly-gone = 這次詢問已失效：已有回答、已撤回，或時間太久。如果沒有收到答覆，請重新提出。
button-go-on = ✓ 繼續
button-no = ✕ 不用了

## Money

usage-person =
    一張照片、一段文字或一則語音算 1 次，長的算多次。
    • 今天：{ $today }
    • 本月：{ $month }
usage-group =
    { $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }的次數：
    • 今天：{ $today }
    • 本月：{ $month }
for-free = 你免費使用。
usage-calls = { $calls } 次
usage-person-of = { $calls } 次（你有 { $limit } 次）
usage-group-of = { $calls } 次（共 { $limit } 次）
with-cost = { $words } · 人民幣 { $cost } 元
usage-unlimited = 沒有每日限制。
quota-groups-only = /quota 用於群組：設定這個群組每天最多使用幾次。
quota-admins-only = 只有這個群組的管理員可以更改每日限制。
quota-present =
    { $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }每天最多使用 { $limit } 次，今天還剩 { $left } 次。/quota 加數字可以調低，/quota off 取消。
quota-none =
    { $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }沒有每日限制。/quota 加數字可以設定。
quota-set =
    以後{ $chat ->
        [channel] 這個頻道
       *[other] 這個群組
    }每天最多使用 { $limit } 次，今天還剩 { $left } 次。/quota off 取消。
quota-wrong = 請傳送 0 到 { $most } 之間的整數，例如 /quota 50，或者 /quota off。
quota-wrong-unbounded = 請傳送 0 以上的整數，例如 /quota 50，或者 /quota off。
stats-admins-only = /stats 只給管理者使用。如果你就是管理者：你的編號是 { $id }，請填入 ADMIN_IDS。
stats-days = 天
stats-uses = 使用次數
stats-yuan = 人民幣元
stats-photos = 照片
stats-texts = 翻譯
stats-speech = 朗讀
stats-people = 人
stats-groups = 群組
stats-budget = 今天已花人民幣 { $spent } 元，預算人民幣 { $budget } 元（{ $percent } %）
stats-bars = { $days } 天
stats-note = 第一欄是今天（依 UTC 日期）。
stats-dead-letters = 沒能完成的請求：{ $count } 個
stats-version = Lotsawa { $version } 版
alert-quota-recognition = ⚠️ 後台服務的辨識額度已用完。10 分鐘內不再使用，之後試一次。請儲值，然後按「現在就試」。
alert-quota-translation = ⚠️ 後台服務的翻譯額度已用完。10 分鐘內不再使用，之後試一次。請儲值，然後按「現在就試」。
alert-quota-speech = ⚠️ 後台服務的朗讀額度已用完。10 分鐘內不再使用，之後試一次。請儲值，然後按「現在就試」。
button-try-now = ▶ 現在就試
try-now-done = 下一個請求就會去試。
try-now-needless = 現在沒有暫停，所有請求都會馬上去試。
alert-auth-token = ⚠️ 後台服務不接受 SERVICE_API_KEY 和 SERVICE_SECRET_KEY，所以不能辨識照片。每 10 分鐘試一次。請檢查。
alert-auth-x-secret = ⚠️ 後台服務不接受 SERVICE_X_SECRET，所以不能翻譯和朗讀。每 10 分鐘試一次。請檢查。
alert-database = ⚠️ 帳本無法寫入（磁碟滿了，還是資料庫被鎖住了？）。恢復之前不做要花錢的事。
alert-budget-80 = ⚠️ 今天的預算是人民幣 { $budget } 元，已用人民幣 { $spent } 元。用完之後，我要到 UTC 時間 00:00 才恢復。預算由 DAILY_BUDGET_YUAN 設定。
alert-budget-100 = ⚠️ 今天的預算用完了：人民幣 { $budget } 元，已用人民幣 { $spent } 元。UTC 時間 00:00 之前，要花錢的事我只為管理者做。預算由 DAILY_BUDGET_YUAN 設定。
alert-files = ⚠️ 我的 Bot API 伺服器不提供檔案，所以不能辨識照片。要設定什麼（TELEGRAM_FILES_DIR），請看記錄檔，或者執行 npm run doctor。

## Privacy

privacy =
    我保存的關於你的內容：
    • 你的設定和最後一段文字，這樣 /speak 才知道朗讀什麼；
    • 你請求過的結果，保存 { $days } 天，以免重複去做；照片和原文本身不在其中，只留一個用來辨認的「指紋」；
    • 使用紀錄：時間、種類、字數，從不記錄文字本身；
    • 我沒能完成的請求，直到完成為止，最多 30 天；
    • 兩天內，我的哪則訊息回應你的哪則訊息，相簿照片的位置，以及被 Telegram 拆成幾則的長文，這樣你編輯訊息時我也跟著修改；
    • 與結果保存得一樣久：照片和檔案的位置、長語音的全文、照片的說明，這樣按鈕和回覆對應的是全部內容；
    • 如果有人決定過你能不能使用：你的名字和編號、決定了什麼、由誰、何時；還有你的 @使用者名稱，保存 90 天，方便管理者找到你。

    照片和文字會傳送給一個負責辨識、翻譯和朗讀的服務。我的記錄檔裡沒有你的文字。

    /forget 可以全部刪除；只有今天用了多少次會留到 UTC 時間 00:00，不寫明是誰，以免有人一天領兩份。只有「已同意」或「已封鎖」會留下，以一個看不出是誰的代碼保存。

    Lotsawa { $version }
forget-sure = 要刪除你的設定、最後一段文字，以及你名下的結果和紀錄嗎？刪除後無法復原。今天用了多少次會留到 UTC 時間 00:00，只是一個不寫明是誰的數字，以免有人一天領兩份。
forget-not-yours = 只有提出請求的人才能按這個按鈕。/forget 可以刪除關於你的內容。
forgotten = 已經刪除。我不再保存任何關於你的內容；只有今天用了多少次會留到 UTC 時間 00:00，不寫明是誰。
button-forget = 全部刪除

## The command menu

command-speak = 朗讀：衛藏、康巴、安多、普通話
command-ocr = 辨識所回覆照片裡的文字
command-translate = 翻譯你回覆的訊息
command-dialect = 選擇藏語方言
command-voice = 選擇普通話聲音
command-wylie = 藏文與威利轉寫（Wylie）互換
command-phonetics = 用拉丁字母寫出藏文讀音
command-settings = 所有設定
command-stats = 整個機器人的用量和花費
command-invite = 產生邀請連結
command-allow = 同意某人或某群組使用
command-block = 封鎖某人或某群組
command-members = 誰已同意、已封鎖、在申請
command-pause = 暫停服務，管理者除外
command-resume = 恢復服務
command-usage = 已用次數和今天還剩的次數
command-cancel = 停止正在為你處理的請求
command-quota = 這個群組的每日限制（管理員）
command-listen = 翻譯所有訊息（管理員）
command-privacy = 我保存了什麼
command-forget = 刪除關於你的內容
command-lang = 語言 · སྐད་ཡིག · Language
command-help = 使用方法

## The profile

profile-description =
    我能辨識、翻譯和朗讀藏文與中文，免費使用。

    • 傳一張照片，我辨識裡面的文字。
    • 傳一段文字，我來翻譯。
    • 傳送 /speak，我來朗讀：衛藏、康巴、安多方言，或者普通話。

    在任何聊天裡：輸入 @、我的名字和文字，選擇譯文傳送。
profile-short-description = 辨識、翻譯和朗讀藏文與中文：照片、文字、語音。
