/** Plain sentences without commas, brackets or asterisks, from which the demo model composes answers. */
export const fillers = [
  'This text was written to do what the request asks for and nothing more.',
  'The garden behind the house is quiet in the early morning.',
  'We walked along the river until the sun went down.',
  'Most of the visitors arrive by train and stay for two days.',
  'Her brother repairs old clocks in a small shop near the bridge.',
  'Every week the library opens its doors to the whole town.',
  'They found the missing letter under a pile of newspapers.',
  'Bread that is baked in the evening smells best.',
] as const

/** The same two thoughts in the languages that the data ask for. */
export const inLanguage: Readonly<Record<string, string>> = {
  ar: 'الطقس جميل اليوم ونحن ذاهبون إلى السوق. سوف نشتري الخبز والفاكهة للأطفال.',
  bg: 'Времето днес е хубаво и ние отиваме на пазара. Ще купим хляб и плодове за децата.',
  bn: 'আজ আবহাওয়া খুব ভালো এবং আমরা বাজারে যাচ্ছি। আমরা শিশুদের জন্য রুটি ও ফল কিনব।',
  de: 'Das Wetter ist heute schön und wir gehen auf den Markt. Wir kaufen Brot und Obst für die Kinder.',
  fa: 'هوا امروز خوب است و ما به بازار می‌رویم. برای بچه‌ها نان و میوه می‌خریم.',
  fi: 'Sää on tänään kaunis ja menemme torille. Ostamme leipää ja hedelmiä lapsille.',
  gu: 'આજે હવામાન સારું છે અને અમે બજારમાં જઈ રહ્યા છીએ. અમે બાળકો માટે રોટલી અને ફળ ખરીદીશું.',
  hi: 'आज मौसम अच्छा है और हम बाज़ार जा रहे हैं। हम बच्चों के लिए रोटी और फल खरीदेंगे।',
  it: 'Oggi il tempo è bello e andiamo al mercato. Compriamo il pane e la frutta per i bambini.',
  kn: 'ಇಂದು ಹವಾಮಾನ ಚೆನ್ನಾಗಿದೆ ಮತ್ತು ನಾವು ಮಾರುಕಟ್ಟೆಗೆ ಹೋಗುತ್ತಿದ್ದೇವೆ. ನಾವು ಮಕ್ಕಳಿಗೆ ಹಣ್ಣು ಖರೀದಿಸುತ್ತೇವೆ.',
  ko: '오늘은 날씨가 좋아서 우리는 시장에 갑니다. 아이들을 위해 빵과 과일을 살 것입니다.',
  mr: 'आज हवामान चांगले आहे आणि आम्ही बाजारात जात आहोत. आम्ही मुलांसाठी भाकरी आणि फळे विकत घेणार आहोत.',
  ne: 'आज मौसम राम्रो छ र हामी बजार जाँदैछौं। हामी बच्चाहरूका लागि रोटी र फलफूल किन्नेछौं।',
  pa: 'ਅੱਜ ਮੌਸਮ ਚੰਗਾ ਹੈ ਅਤੇ ਅਸੀਂ ਬਾਜ਼ਾਰ ਜਾ ਰਹੇ ਹਾਂ। ਅਸੀਂ ਬੱਚਿਆਂ ਲਈ ਰੋਟੀ ਅਤੇ ਫਲ ਖਰੀਦਾਂਗੇ।',
  pt: 'Hoje o tempo está bonito e nós vamos ao mercado. Não vamos esquecer o pão e as frutas para as crianças.',
  ru: 'Сегодня хорошая погода и мы идём на рынок. Мы купим хлеб и фрукты для детей.',
  sw: 'Leo hali ya hewa ni nzuri na tunaenda sokoni. Tutanunua mkate na matunda kwa ajili ya watoto wetu.',
  ta: 'இன்று வானிலை நன்றாக இருக்கிறது மற்றும் நாங்கள் சந்தைக்குச் செல்கிறோம். குழந்தைகளுக்கு பழங்கள் வாங்குவோம்.',
  te: 'ఈ రోజు వాతావరణం బాగుంది మరియు మేము మార్కెట్‌కు వెళ్తున్నాము. మేము పిల్లల కోసం పండ్లు కొంటాము.',
  th: 'วันนี้อากาศดีและเรากำลังไปตลาด เราจะซื้อขนมปังและผลไม้ให้เด็กๆ',
  ur: 'آج موسم اچھا ہے اور ہم بازار جا رہے ہیں۔ ہم بچوں کے لیے روٹی اور پھل خریدیں گے۔',
  vi: 'Hôm nay thời tiết đẹp và chúng tôi đi chợ. Chúng tôi sẽ mua bánh mì và trái cây cho trẻ em.',
}
