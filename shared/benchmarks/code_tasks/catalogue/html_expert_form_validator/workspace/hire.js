window.hire = window.FormValidator.attach(document.getElementById('hire'), {
  tools: { voucher: async (code) => (code.length % 2 === 0 ? null : 'This voucher is not known.') },
  onSubmit: (values) => console.log('hired', values),
})
