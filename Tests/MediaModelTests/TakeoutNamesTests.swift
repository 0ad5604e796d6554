import MediaTestSupport
import Testing

@testable import MediaModel

/// The names are those of immich-go's `matcher_test.go` and `testgp_samples_test.go`, which come from real
/// exports, and of later ones with `supplemental-metadata`.
@Suite("Names in a Google Takeout")
struct TakeoutNamesTests {
  private func pairs(_ sidecars: [String], _ media: [String]) -> [String: [String]] {
    let pairs = TakeoutNames.pairs(
      sidecars: sidecars.map { Array($0.utf8) },
      media: media.map { Array($0.utf8) }
    )
    return pairs.reduce(into: [:]) { result, pair in
      result[sidecars[pair.sidecar]] = ([pair.owner] + pair.others).map { media[$0] }
    }
  }

  @Test(
    "A JSON file describes the file whose title it is named after, however it is cut and numbered",
    arguments: [
      ("PXL_20211013_220651983.jpg.json", "PXL_20211013_220651983.jpg"),
      ("PXL_20220405_090123740.PORTRAIT.jpg.json", "PXL_20220405_090123740.PORTRAIT-modifié.jpg"),
      ("DSC_0101.JPG(1).json", "DSC_0101(1).JPG"), ("IMG_2710.HEIC(1).json", "IMG_2710(1).HEIC"),
      ("PXL_20231118_035751175.MP.jpg.json", "PXL_20231118_035751175.MP.jpg"),
      (
        "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
        "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"
      ),
      (
        "PXL_20230814_201154491.LONG_EXPOSURE-01.COVER..json",
        "PXL_20230814_201154491.LONG_EXPOSURE-01.COVER.jpg"
      ),
      (
        "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json",
        "05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg"
      ),
      (
        "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋.json",
        "😀😃😄😁😆😅😂🤣🥲☺️😊😇🙂🙃😉😌😍🥰😘😗😙😚😋😛.jpg"
      ),
      (
        "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
        "Backyard_ceremony_wedding_photography_xxxxxxx_m(494).jpg"
      ),
      (
        "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
        "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P.jpg"
      ),
      (
        "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_.json",
        "original_1d4caa6f-16c6-4c3d-901b-9387de10e528_P(1).jpg"
      ),
      ("PXL_20210102_221126856.MP~2.jpg.json", "PXL_20210102_221126856.MP~2.jpg"),
      (
        "13039_327707840323_537645323_9470255_27214_n.j(1).json",
        "13039_327707840323_537645323_9470255_27214_n(1).jpg"
      ),
      ("27_06_12 - 2.json", "27_06_12 - 2.jpg"),
      ("IMG_1.jpg.supplemental-metadata.json", "IMG_1.jpg"),
      ("IMG_1.jpg.supplemental-metadata(2).json", "IMG_1(2).jpg"),
      (
        "Screenshot_2024-01-01-12-00-00-00.jpg.supplem.json",
        "Screenshot_2024-01-01-12-00-00-00.jpg"
      ),
      ("IMG_1.jpg.s.json", "IMG_1.jpg"), ("IMG_1.JPG.JSON", "IMG_1.JPG"),
      ("IMG_1.jpg.json", "IMG_1-edited.jpg"), ("IMG_1.jpg(1).json", "IMG_1-edited(1).jpg"),
      ("IMG_4573.HEIC.json", "IMG_4573.MP4"),
      ("DSC1.jpg.supplemental-metadata.json", "DSC1.JPG"), ("DSC1.JPG.json", "DSC1.jpg"),
      ("dsc1.jpg.Json", "DSC1.JPG"), ("DSC_1.jpg(1).json", "DSC_1(1).JPG"),
      ("img_9.heic.json", "IMG_9.MP4"), ("DSC1.jpg.json", "DSC1-edited.JPG"),
      ("\u{DC}b.jpg.json", "U\u{308}b.jpg"), ("U\u{308}b.jpg.json", "\u{DC}b-edited.jpg"),
      // Edited renditions with combining marks.
      ("E03.jpg.json", "E03-modifie\u{301}.jpg"), ("E03.jpg.json", "E03-du\u{308}zenlendi.jpg"),
      ("E03.jpg(1).json", "E03-mo\u{301}dosi\u{301}tva(1).jpg"),
      ("E03.jpg.json", "E03-đa\u{303} chi\u{309}nh su\u{31B}\u{309}a.jpg"),
      ("E03.jpg.json", "E03-\u{E41}\u{E01}\u{E49}\u{E44}\u{E02}\u{E41}\u{E25}\u{E49}\u{E27}.jpg"),
      ("E03.jpg.json", "E03-திருத்தப்பட்டது.jpg"), ("E03.jpg.json", "E03-编辑.jpg"),
      ("PXL_20221228_185930354.MP.jpg.json", "PXL_20221228_185930354.MP"),
    ]
  )
  func matches(sidecar: String, file: String) {
    #expect(pairs([sidecar], [file]) == [sidecar: [file]])
  }

  @Test(
    "It describes no file of another title or number",
    arguments: [
      ("PXL_20211013_220651983.jpg.json", "PXL_20211013_220651958.jpg"),
      ("PXL_20220405_090123740.PORTRAIT.jpg.json", "PXL_20220405_090123741.PORTRAIT-modifié.jpg"),
      ("DSC_0102.JPG(2).json", "DSC_0102(1).JPG"), ("DSC_0103.JPG(1).json", "DSC_0103.JPG"),
      ("DSC_0104.JPG.json", "DSC_0104(1).JPG"),
      (
        "Backyard_ceremony_wedding_photography_xxxxxxx_(494).json",
        "Backyard_ceremony_wedding_photography_xxxxxxx_m(185).jpg"
      ),
      ("IMG_1.json", "IMG_12.jpg"), ("IMG_1.jpg.json", "IMG_1.png"),
      ("DSC_0238.JPG.json", "DSC_0238_1.JPG"), ("IMG_0170.JPG.json", "IMG_0170.HEIC"),
      ("IMG_1.jpg.json", "IMG_1-2.jpg"), ("metadata.json", "IMG_1.jpg"), (".json", "IMG_1.jpg"),
      ("(1).json", "(1)(1).jpg"),
    ]
  )
  func doesNotMatch(sidecar: String, file: String) {
    #expect(pairs([sidecar], [file]).isEmpty)
  }

  @Test("A name with the same letters comes before one that differs in case, and each has its own")
  func cases() {
    let sidecars = ["a.jpg.json", "A.JPG.json", "b.jpg.json"]
    let media = ["A.JPG", "a.jpg", "B.JPG", "a.JPG"]
    let paired = pairs(sidecars, media)
    #expect(paired["a.jpg.json"] == ["a.jpg"] && paired["A.JPG.json"] == ["A.JPG"])
    #expect(paired["b.jpg.json"] == ["B.JPG"])
    // The movie is described besides.
    let live = pairs(["IMG_9.HEIC.json"], ["IMG_9.MP4", "IMG_9.heic"])
    #expect(live["IMG_9.HEIC.json"] == ["IMG_9.heic", "IMG_9.MP4"])
  }

  @Test("Equal titles are told apart by their numbers, whatever comes first")
  func numbers() {
    let sidecars = ["IMG_3479.JPG.json", "IMG_3479.JPG(1).json", "IMG_3479.JPG(2).json"]
    let media = ["IMG_3479(2).JPG", "IMG_3479.JPG", "IMG_3479(1).JPG"]
    let expected = [
      "IMG_3479.JPG.json": ["IMG_3479.JPG"], "IMG_3479.JPG(1).json": ["IMG_3479(1).JPG"],
      "IMG_3479.JPG(2).json": ["IMG_3479(2).JPG"],
    ]
    #expect(pairs(sidecars, media) == expected)
    #expect(pairs(sidecars.reversed(), media.reversed()) == expected)
  }

  @Test(
    "One JSON file describes a picture, its edited rendition and its movie; the picture owns it"
  )
  func several() {
    let paired = pairs(
      ["PXL_1.MP.jpg.json", "IMG_9.HEIC.json"],
      ["PXL_1.MP-edited.jpg", "PXL_1.MP", "PXL_1.MP.jpg", "IMG_9.MP4", "IMG_9.HEIC", "IMG_8.MP4"]
    )
    #expect(paired["PXL_1.MP.jpg.json"]?.first == "PXL_1.MP.jpg")
    #expect(Set(paired["PXL_1.MP.jpg.json"] ?? []) == ["PXL_1.MP.jpg", "PXL_1.MP", "PXL_1.MP-edited.jpg"])
    #expect(paired["IMG_9.HEIC.json"] == ["IMG_9.HEIC", "IMG_9.MP4"])
  }

  @Test("A hundred thousand names of one folder take no more than a few seconds")
  func linear() {
    let media = (0..<50_000).map { "IMG_\($0).jpg" } + (0..<50_000).map { "IMG_\($0)-edited.jpg" }
    let sidecars = (0..<50_000).map { "IMG_\($0).jpg.supplemental-metadata.json" }
    var paired: [String: [String]] = [:]
    let seconds = processorSeconds { paired = pairs(sidecars, media) }
    #expect(paired.count == 50_000 && paired.values.allSatisfy { $0.count == 2 })
    #expect(seconds < 30)
  }

  @Test("The original of an edited rendition has its name without the word, in the known languages")
  func originals() {
    func original(_ stem: String) -> String? {
      TakeoutNames.originalStem(of: Array(stem.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(original("IMG_1-edited") == "IMG_1")
    #expect(original("IMG_1-bearbeitet(2)") == "IMG_1(2)")
    #expect(original("PXL_1.PORTRAIT-modifié") == "PXL_1.PORTRAIT")
    #expect(original("写真-編集済み") == "写真")
    for other in ["IMG_1", "beach-sunset", "-edited", "edited", "IMG_1edited", "IMG_1-edited-2"] {
      #expect(original(other) == nil, "\(other)")
    }
  }

  @Test("Many names that differ in case alone are compared once")
  func manyOfOneName() {
    func names(_ ending: String) -> [[UInt8]] {
      (0..<40_000).map { number in
        let letters = (0..<16).map { number >> $0 & 1 == 0 ? UInt8(ascii: "a") : UInt8(ascii: "A") }
        return letters + Array(ending.utf8)
      }
    }
    let (sidecars, media) = (names("B.jpg.json"), names("b.jpg"))
    var pairs: [TakeoutNames.Pair] = []
    let seconds = processorSeconds { pairs = TakeoutNames.pairs(sidecars: sidecars, media: media) }
    #expect(seconds < 10)
    #expect(pairs.count == 1)
    #expect(pairs.first?.others.count == 39_999)
  }
}
