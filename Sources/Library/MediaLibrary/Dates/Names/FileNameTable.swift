internal import MediaModel

/// The shapes of names that tell a date, and the words that names of screenshots begin with: one table, which
/// ``FileNameDate`` reads and docs/dates-and-sidecars.md shows.
enum FileNameTable {
  /// Shapes that programs of one kind write.
  struct Row: Sendable {
    /// The shapes, the more specific one first; see ``FileNameTable/rows``.
    let shapes: [String]
    /// The programs, as the documentation calls them.
    let programs: String

    init(_ programs: String, _ shapes: [String]) {
      (self.programs, self.shapes) = (programs, shapes)
    }
  }

  /// The words of one language.
  struct Words: Sendable {
    /// The language in English.
    let language: String
    /// What names of screenshots begin with, in lower case.
    let screenshots: [String]
    /// What names of recordings of a screen begin with, in lower case.
    let recordings: [String]

    init(_ language: String, _ screenshots: [String], recordings: [String] = []) {
      (self.language, self.screenshots, self.recordings) = (language, screenshots, recordings)
    }
  }

  /// Shapes that ``DateBehindWord`` does not read, the more specific one first. Letters match in either case.
  ///
  /// `{D}` is `yyyyMMdd`, `{D-}` `yyyy-MM-dd` (or with `_` or `.`), `{y-}` `yy-MM-dd`, `{d-}` `dd-MM-yyyy`, `{m-}`
  /// `MM-dd-yyyy`, `{Y}`, `{M}` and `{DD}` are year, month and day, `{Mon}` is the month's name in English and
  /// `{d}` a day of one or two digits; `{T}` is `HHmmss`, `{T-}` and `{T_}` are `HH-mm-ss` with `-`, `_`, `.` or `:`
  /// between (the hour may have one digit); `{s}` and `{ms}` are seconds and milliseconds since 1970, in UTC; `{ }` is a
  /// space of any kind or `_`, `{#}` a run of digits, `{L}` of letters.
  ///
  /// Source: names that the programs write, as their users report them.
  static let rows: [Row] = [
    Row(
      "WeChat, Facebook, Messenger, LINE, KakaoTalk, screen recordings of iOS: milliseconds or seconds since 1970, "
        + "in **UTC**",
      [
        "mmexport{ms}", "microMsg.{ms}", "wx_camera_{ms}", "FB_IMG_{ms}", "FB_VID_{ms}", "received_{ms}",
        "LINE_{ms}",
        "LINE_MOVIE_{ms}", "kakaotalk_{ms}", "FaceApp_{ms}", "PhotoGrid_{ms}", "tb_image_share_{ms}",
        "RPReplay_Final{s}",
      ]
    ),
    Row("Telegram", ["photo_{#}@{d-}_{T-}", "video_{#}@{d-}_{T-}"]),
    Row("screen recordings of iOS", ["ScreenRecording_{m-}{ }{T-}"]),
    Row("Picsart", ["Picsart_{y-}_{T-}"]),
    Row("dash cameras", ["{Y}_{M}{DD}_{T}", "{Y}-{M}{DD}-{T}"]),
    Row("Scannable", ["Scannable Document on {Mon} {d}, {Y} at {T_}"]),
    Row(
      "WhatsApp, Windows Phone, BlackBerry, scanners, people: the day alone",
      [
        "IMG-{D}-WA{#}", "VID-{D}-WA{#}", "AUD-{D}-WA{#}", "PTT-{D}-WA{#}", "STK-{D}-WA{#}", "DOC-{D}-WA{#}",
        "WP_{D}_{#}", "SCR-{D}-{L}", "Scan_{D}", "Scan{ }{D-}", "IMG_{D}", "VID_{D}", "IMG-{D}", "VID-{D}",
        "IMG{#}-{D}", "VID{#}-{D}", "Adobe Scan {d} {Mon} {Y}", "Adobe Scan {Mon} {d}, {Y}",
        "Scannable Document on {Mon} {d}, {Y}", "{L} {d} {Mon} {Y}", "{L} {Mon} {d}, {Y}", "{D-}", "{D}",
      ]
    ),
  ]

  /// What follows the words of a screenshot without a time, in the notation of ``rows``; `{~}` is at most 32 bytes
  /// without a digit, such as ` vom `.
  static let screenshotShapes = ["{~}{D-}", "{~}{D}"]

  /// The words with which macOS, Windows, Android and GNOME begin the name of a screenshot.
  ///
  /// Source: names in public repositories and bug reports.
  static let words: [Words] = [
    Words("English", ["screenshot", "screen shot"], recordings: ["screen recording", "screencast"]),
    Words("Arabic", ["لقطة شاشة", "لقطة الشاشة"], recordings: ["تسجيل الشاشة"]),
    Words("Bulgarian", ["екранна снимка", "снимка на екрана"]),
    Words("Catalan, Spanish", ["captura de pantalla", "captura desde"]),
    Words(
      "Chinese",
      ["截屏", "屏幕快照", "屏幕截图", "截图", "截圖", "螢幕快照", "螢幕截圖", "螢幕擷取畫面"],
      recordings: ["录屏", "屏幕录制", "屏幕錄製", "螢幕錄製", "螢幕錄影"]
    ),
    Words("Croatian", ["snimka zaslona"]),
    Words("Czech", ["snímek obrazovky"], recordings: ["záznam obrazovky", "nahrávka obrazovky"]),
    Words("Danish", ["skærmbillede"], recordings: ["skærmoptagelse"]),
    Words("Dutch", ["schermafbeelding", "schermafdruk"], recordings: ["schermopname"]),
    Words("Finnish", ["näyttökuva", "kuvakaappaus"], recordings: ["näytön tallennus"]),
    Words("French", ["capture d'écran", "capture d écran"], recordings: ["enregistrement de l'écran"]),
    Words("German", ["bildschirmfoto"], recordings: ["bildschirmaufnahme", "bildschirmaufzeichnung"]),
    Words("Greek", ["στιγμιότυπο"], recordings: ["εγγραφή οθόνης"]),
    Words("Hebrew", ["צילום מסך"], recordings: ["הקלטת מסך"]),
    Words("Hindi", ["स्क्रीनशॉट"]),
    Words("Hungarian", ["képernyőfotó", "képernyőkép"], recordings: ["képernyőfelvétel"]),
    Words("Indonesian", ["cuplikan layar", "tangkapan layar"], recordings: ["rekaman layar"]),
    Words("Italian", ["schermata"], recordings: ["registrazione schermo"]),
    Words("Japanese", ["スクリーンショット"], recordings: ["画面収録", "画面録画"]),
    Words("Korean", ["스크린샷", "스크린 샷"], recordings: ["화면 기록", "화면 녹화"]),
    Words("Malay", ["petikan skrin", "tangkapan skrin"]),
    Words("Norwegian", ["skjermbilde", "skjermdump"], recordings: ["skjermopptak"]),
    Words("Persian", ["نماگرفت"]),
    Words("Polish", ["zrzut ekranu"], recordings: ["nagranie ekranu"]),
    Words(
      "Portuguese",
      ["captura de tela", "captura de ecrã"],
      recordings: ["gravação de tela", "gravação de ecrã"]
    ),
    Words("Romanian", ["captură de ecran"], recordings: ["înregistrare ecran"]),
    Words("Russian", ["снимок экрана", "скриншот"], recordings: ["запись экрана"]),
    Words("Serbian", ["снимак екрана", "snimak ekrana"]),
    Words("Slovak", ["snímka obrazovky"], recordings: ["záznam obrazovky"]),
    Words("Slovenian", ["posnetek zaslona"]),
    Words("Swedish", ["skärmavbild", "skärmbild"], recordings: ["skärminspelning"]),
    Words("Thai", ["ภาพหน้าจอ", "ภาพถ่ายหน้าจอ"]),
    Words("Turkish", ["ekran resmi", "ekran görüntüsü", "ekran alıntısı"], recordings: ["ekran kaydı"]),
    Words("Ukrainian", ["знімок екрана"], recordings: ["запис екрана"]),
    Words("Vietnamese", ["ảnh màn hình", "ảnh chụp màn hình"], recordings: ["bản ghi màn hình"]),
  ]
}

extension FileNameTable {
  /// An example of a shape: a name of 4 July 2019, 10:15:30.
  static func example(of shape: String) -> String {
    fields.reduce(shape) { $0.substituting($1.field, by: $1.text) }
  }

  private static let fields: [(field: String, text: String)] = [
    ("{D}", "20190704"), ("{D-}", "2019-07-04"), ("{y-}", "19-07-04"), ("{d-}", "04-07-2019"),
    ("{m-}", "07-04-2019"), ("{Y}", "2019"), ("{M}", "07"), ("{Mon}", "Jul"), ("{DD}", "04"), ("{d}", "4"),
    ("{T}", "101530"), ("{T-}", "10-15-30"), ("{T_}", "10_15_30"), ("{s}", "1562235330"),
    ("{ms}", "1562235330123"), ("{ }", " "), ("{#}", "0017"), ("{L}", "Image"),
  ]
}
