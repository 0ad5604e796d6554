import MediaModel
import Testing

@Suite("Names of people among keywords")
struct KnownPeopleTests {
  @Test(
    "A keyword below people is a name in each language and with each separator, and one without a path is none"
  )
  func paths() {
    let people = KnownPeople()
    for keyword in [
      "People/Ann", "people|Family|Ann", "Tags/PERSONEN/Ann", "Personnes\\Ann", " Люди / Ann ", "人物|花子",
      "Лица/Ann", "Osoby|x", "/People/Ann/", "İnsanlar/Ann", "KİŞİLER|Ann", "Mọi người/Ann", "人們/花子",
      "Folk/Ann",
      "Persones|Ann",
    ] { #expect(people.isName(keyword), "\(keyword)") }
    for keyword in ["People", "People/", "Places/Rome", "AC/DC", "", "/", "Peoples/Ann", "Rome/People"] {
      #expect(!people.isName(keyword), "\(keyword)")
    }
  }

  @Test("A name is known in letters of any case and form, and as a part of a path")
  func names() {
    var people = KnownPeople()
    people.add(person: " Ann Müller")
    people.add(keyword: "People/Smiths/Bo")
    people.add(keyword: "Places/Rome")
    people.add(person: "İpek Z\u{307}a")
    for keyword in ["ANN MU\u{308}LLER", "Friends|ann müller", "Bo", "smiths", "ipek ża", "İPEK ŻA"] {
      #expect(people.isName(keyword), "\(keyword)")
    }
    for keyword in ["Ann", "Müller", "Rome", "Places/Rome", "People"] {
      #expect(!people.isName(keyword), "\(keyword)")
    }
    var description = MediaDescription()
    description.keywords = ["sea", "bo", "People/Cy", "Rome"]
    description.removeNames(of: people)
    #expect(description.keywords == ["sea", "Rome"])
  }
}
